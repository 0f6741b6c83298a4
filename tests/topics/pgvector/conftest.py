"""What needs pgvector runs in a process of its own, on a server that has it: `test_on_pgvector.py` begins it."""

import os

collect_ignore = [] if os.environ.get("TESTS_ON_PGVECTOR") else ["cases"]
