"""Test questions from chunks: how a writer is asked, what rules and readers say of them."""
