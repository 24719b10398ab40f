"""Fresh data sets: levers, base questions, plans, writing, checks, verification,
export.
"""
