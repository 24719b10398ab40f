"""The commands of `refusalbench` that belong together."""
