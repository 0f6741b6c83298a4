"""The example space: two stories in conversations, as an agent would send them, and what a reviewer did with them."""
