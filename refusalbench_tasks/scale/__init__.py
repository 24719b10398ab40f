"""From one process to many: shards, their merged log, and who runs them."""
