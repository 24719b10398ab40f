"""The task `search`: an agent that searches before it answers or refuses."""
