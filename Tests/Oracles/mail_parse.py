"""Reads messages as Python's `email` does.

    mail_parse.py MESSAGE…

Prints one JSON object per message: its header fields, the defects of any part, the text of each part
by its type, and the length of the longest line.
"""

import email
import email.policy
import json
import pathlib
import sys

for name in sys.argv[1:]:
    data = pathlib.Path(name).read_bytes()
    message = email.message_from_bytes(data, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    print(json.dumps({
        "fields": [[field, str(value)] for field, value in message.items()],
        "recipients": [address.addr_spec for address in message["To"].addresses],
        "date": message["Date"].datetime.isoformat(),
        "defects": [str(defect) for part in message.walk() for defect in part.defects]
        + [str(defect) for value in message.values() for defect in getattr(value, "defects", [])],
        "type": message.get_content_type(),
        "texts": {part.get_content_type(): part.get_content() for part in parts},
        "longest": max(len(line) for line in data.split(b"\n")),
        "isASCII": data.isascii(),
    }))
