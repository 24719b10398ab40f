"""What each command is: it hands its call to the process behind it and ends with that call's status."""

import json
import os
import socket
import sys

ADDRESS: str = globals().get("ADDRESS", "")  # written before this text in each command

if ADDRESS:
    call = {"argv": sys.argv, "folder": os.getcwd(), "environment": dict(os.environ)}
    text = json.dumps(call).encode()
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(ADDRESS)
        socket.send_fds(server, [len(text).to_bytes(8, "big")], [0, 1, 2])
        server.sendall(text)
        status = server.recv(1)
    sys.exit(status[0] if status else 137)
