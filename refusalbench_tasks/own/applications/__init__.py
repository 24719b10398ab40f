"""An application's replies: files of them, requests and replies of a running one."""
