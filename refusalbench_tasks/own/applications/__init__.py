"""Applications under test: a running one that is asked over HTTP, or a Python function
or chain.
"""
