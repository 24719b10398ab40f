"""The figures of a report, from runs to charts."""
