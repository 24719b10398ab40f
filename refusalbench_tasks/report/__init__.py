"""Figures and one page of what logs hold: `refusalbench report`."""
