"""Sends a message through msmtp to a mail server on the loopback address.

    mail_send.py MESSAGE

msmtp finds the recipients in the message, as `sendmail -t` does. Prints a JSON object with what the
server received: the recipients, the Subject, and the text of each part. Needs aiosmtpd from PyPI, and
msmtp.
"""

import email
import email.policy
import json
import socket
import subprocess
import sys

from aiosmtpd.controller import Controller


class Mailbox:
    received = []

    async def handle_DATA(self, server, session, envelope):
        self.received.append(envelope)
        return "250 OK"


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = Controller(Mailbox(), hostname="127.0.0.1", port=port, ready_timeout=60)
server.start()
try:
    with open(sys.argv[1], "rb") as message:
        subprocess.run(
            ["msmtp", "-t", "-C", "/dev/null", "--host=127.0.0.1", f"--port={port}", "--tls=off",
             "--auth=off", "--from=cron@example.com"],
            stdin=message, check=True)
finally:
    server.stop()
envelope, = Mailbox.received
message = email.message_from_bytes(envelope.content, policy=email.policy.default)
print(json.dumps({
    "recipients": envelope.rcpt_tos,
    "subject": str(message["Subject"]),
    "from": str(message["From"]),
    "texts": {part.get_content_type(): part.get_content()
              for part in message.walk() if not part.is_multipart()},
}))
