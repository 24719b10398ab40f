"""Search results and pages of the web: guarded fetching, archive, extraction, trust
lists.
"""
