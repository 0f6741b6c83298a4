"""Finding topics among turns that have none: what lies together, and what to call it. Knows texts and vectors only."""
