"""A folder of documents as chunks with stable ids: loading, splitting, near duplicates,
search.
"""
