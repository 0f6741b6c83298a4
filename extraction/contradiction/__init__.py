"""Whether two statements about one topic can both be true, by what their words say alone.

Each is read clause by clause: of whom and when it holds, whether it is denied, which of two opposites it takes, and
which number it gives. Two clauses contradict one another when one denies what the other states, when they take opposite
sides, or when they give another number for the same thing that lasts. Two statements that measure one thing at two
times, with different results, cannot both be current either. Where it is not plain that both speak of the same
matter they are let be: a false conflict casts doubt on what is true.
"""

from __future__ import annotations

from extraction.contradiction.compare import Why, clash, shows_denial

__all__ = ["Why", "clash", "shows_denial"]
