"""From logs to what people read."""
