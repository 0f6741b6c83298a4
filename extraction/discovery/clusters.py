"""Which turns lie together.

HDBSCAN (Campello, Moulavi and Sander, 2013; scikit-learn's) finds groups of any number and leaves the rest out, which
most turns are. In hundreds of dimensions everything is about equally far from everything, so the vectors are reduced
first (truncated SVD), as topic modelling with embeddings commonly does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.discovery.words import EMPTY, EMPTY_HAN
from inference.embeddings import Vectors
from topics.text.analyse import analyse, is_weak

Labels = NDArray[np.intp]

MOST_DIMENSIONS = 24
# From so many texts on, a term that stands in half of them tells nothing.
MANY = 60
# A group whose turns are no nearer to its middle than this, on average, is none.
COHESION = 0.35
_EMPTY = frozenset(analyse(" ".join([*EMPTY, *EMPTY_HAN])))


@dataclass(frozen=True, slots=True)
class Cluster:
    """Turns by their places in the input, those nearest to the middle first."""

    members: tuple[int, ...]


def word_vectors(texts: Sequence[str]) -> Vectors:
    """tf-idf of the terms of the texts, reduced by latent semantic analysis: vectors where there is no embedder.

    A row of unit length for each text; zeros for one that shares no term with any other.
    """
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = TfidfVectorizer(analyzer=_terms, min_df=2, max_df=0.5 if len(texts) >= MANY else 1.0)
    try:
        weights = vectorizer.fit_transform(texts)
    except ValueError:  # no term stands in two texts
        return np.zeros((len(texts), 1), dtype=np.float32)
    size = min(100, weights.shape[0] - 1, weights.shape[1] - 1)
    if size < 2:
        return np.asarray(normalize(weights.toarray()), dtype=np.float32)
    reduced = TruncatedSVD(n_components=size, random_state=0).fit_transform(weights)
    return np.asarray(normalize(reduced), dtype=np.float32)


def find_clusters(vectors: Vectors, *, smallest: int) -> list[Cluster]:
    """Groups of at least `smallest` rows that lie together, the largest first. Rows are of unit length, or zeros."""
    kept = np.flatnonzero(np.linalg.norm(vectors, axis=1) > 0)
    if len(kept) < smallest:
        return []
    rows = vectors[kept]
    labels = _labels(_reduced(rows, smallest), smallest)
    groups = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    groups = [members for members in groups if float((rows[members] @ middle(rows[members])).mean()) >= COHESION]
    found = [_cluster(rows, members, kept) for members in _with_near_ones(rows, groups)]
    return sorted(found, key=lambda cluster: (-len(cluster.members), cluster.members))


def _labels(points: Vectors, smallest: int) -> Labels:
    from sklearn.cluster import HDBSCAN

    def cluster(**options: Any) -> Labels:
        found = HDBSCAN(min_cluster_size=smallest, min_samples=max(2, smallest // 2), copy=True, **options)
        return np.asarray(found.fit_predict(points))

    labels = cluster(cluster_selection_method="leaf")
    # Turns that are all about one matter are a group of their own, which HDBSCAN only gives when asked.
    return labels if labels.max() >= 0 else cluster(cluster_selection_method="eom", allow_single_cluster=True)


def _reduced(rows: Vectors, smallest: int) -> Vectors:
    """In as many dimensions as there can be groups, about: in more, a few rows are all equally far from one another."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    size = min(MOST_DIMENSIONS, max(2, len(rows) // (2 * smallest)))
    if size >= min(rows.shape):
        return rows
    return np.asarray(normalize(TruncatedSVD(n_components=size, random_state=0).fit_transform(rows)), dtype=np.float32)


def _with_near_ones(rows: Vectors, groups: Sequence[Labels]) -> list[Labels]:
    """The groups with the rows that were left out though they lie within one: they would join it later anyway."""
    if not groups:
        return []
    left = np.setdiff1d(np.arange(len(rows)), np.concatenate(groups))
    nearness = rows[left] @ np.array([middle(rows[members]) for members in groups]).T
    nearest = nearness.argmax(axis=1)
    is_within = nearness.max(axis=1) >= np.array([radius(rows[members]) for members in groups])[nearest]
    return [np.concatenate([members, left[is_within & (nearest == n)]]) for n, members in enumerate(groups)]


def _cluster(rows: Vectors, members: Labels, kept: Labels) -> Cluster:
    order = np.argsort(-(rows[members] @ middle(rows[members])), kind="stable")
    return Cluster(tuple(int(kept[members[n]]) for n in order))


def middle(rows: Vectors) -> Vectors:
    """The mean of some rows, of unit length."""
    mean = rows.mean(axis=0)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length > 0 else mean, dtype=np.float32)


def radius(rows: Vectors) -> float:
    """How near to their middle (a cosine) another row must be to lie together with these: as most of them are."""
    nearness = rows @ middle(rows)
    return float(max(COHESION, nearness.mean() - nearness.std()))


def _terms(text: str) -> list[str]:
    return [term for term in analyse(text) if not is_weak(term) and term not in _EMPTY]
