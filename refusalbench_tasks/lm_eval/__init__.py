"""Tasks for lm-evaluation-harness, which loads the YAML files of this folder."""
