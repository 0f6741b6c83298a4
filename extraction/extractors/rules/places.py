"""Where a house stands, in words."""

from __future__ import annotations

STREET = (
    "(?:Street|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Square|Court|Place|Boulevard|Blvd|Terrace|Crescent|Close|Way|Row|Quay)"
)
