"""Worlds: items from invented closed worlds, whose labels are
computed and not judged.
"""
