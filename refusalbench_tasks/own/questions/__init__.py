"""Questions from chunks: what the corpus answers, what it doesn't, and rows without a
model.
"""
