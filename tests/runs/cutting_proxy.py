"""A way to a server that can be cut just after the server has heard, before it is heard."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from time import sleep


class CuttingProxy:
    """Forwards connections to a port of this machine.

    Attributes:
        cuts: How many of the next commits go through to the server while their answers are lost.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                for ends in ((client, server), (server, client)):
                    threading.Thread(
                        target=self._forward, args=(*ends, ends[0] is client), daemon=True
                    ).start()

    def _forward(self, source: socket.socket, target: socket.socket, to_server: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if to_server and self.cuts and b"COMMIT" in data:
                    self.cuts -= 1
                    source.shutdown(socket.SHUT_RDWR)
                    target.sendall(data)
                    sleep(0.3)  # time to carry it out
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()
