"""How dates are written in Chinese here; where this says nothing, Django's own formats hold."""

MONTH_DAY_FORMAT = "n月j日"
