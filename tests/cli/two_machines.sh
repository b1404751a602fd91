#!/bin/sh
# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command as the two ranks of a job on two machines: each in a network of its own, with a cable between them.
# What rank 1 says goes into a file. Ends with 77 and the reason where this system does not let it.
#   two_machines.sh FILE COMMAND...
set -u
skip() {
    echo "SKIP: $1"
    exit 77
}

if [ "${TWO_MACHINES:-}" != inside ]; then
    for tool in unshare nsenter ip; do
        command -v $tool > /dev/null || skip "there is no $tool"
    done
    unshare --user --map-root-user --net true 2> /dev/null || skip "networks of one's own are not permitted"
    TWO_MACHINES=inside exec unshare --user --map-root-user --net "$0" "$@"
fi

said=$1
shift
ip link set lo up || skip "the loopback interface cannot be brought up"
unshare --net sleep 600 &
machine=$!
first=
second=
trap 'kill $machine $first $second 2> /dev/null' EXIT
trap 'exit 143' HUP INT TERM
tries=0
while [ "$(readlink /proc/$machine/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || skip "no second network came up"
    sleep 0.1
done
there="nsenter --net=/proc/$machine/ns/net"
ip link add cable type veth peer name cable netns $machine 2> /dev/null || skip "a pair of interfaces is not permitted"
ip addr add 10.77.0.1/24 dev cable && ip link set cable up || skip "an address cannot be set"
$there sh -c 'ip link set lo up && ip addr add 10.77.0.2/24 dev cable && ip link set cable up' ||
    skip "the second network cannot be set up"

export MASTER_ADDR=10.77.0.1 MASTER_PORT=29500 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1
RANK=1 $there "$@" > "$said" 2>&1 &
second=$!
RANK=0 "$@" & # as the other one: a signal to this script does not wait for its end
first=$!
wait $first
firstCode=$?
if [ $firstCode -ne 0 ]; then # rank 1 ends by itself, unless it waits for a meeting that nobody comes to any more
    tries=0
    while kill -0 $second 2> /dev/null && [ $tries -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    kill $second 2> /dev/null
fi
first=
wait $second
secondCode=$?
second=
echo "rank 0 ended with $firstCode, rank 1 with $secondCode"
[ $firstCode -eq 0 ] && [ $secondCode -eq 0 ]
