"""In transition: see bounded_reading."""

from refusalbench_tasks.bounded_reading import file_at as file_at
from refusalbench_tasks.bounded_reading import json_value as json_value
from refusalbench_tasks.bounded_reading import read_text as read_text
from refusalbench_tasks.bounded_reading import yaml_value as yaml_value
