"""Numbers of scripted runs, as they were before the core was written anew."""
