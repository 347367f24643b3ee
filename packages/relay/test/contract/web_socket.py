"""A WebSocket client with Python's standard library. Frames that nobody asked for yet stay in `unread`."""

import base64, json, os, socket, struct
from urllib.parse import urlsplit


class WebSocket:
    def __init__(self, relay, path, token=None):
        place = urlsplit(relay)
        self.wire = socket.create_connection((place.hostname, place.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        proof = f'Authorization: Bearer {token}\r\n' if token else ''
        self.wire.sendall((
            f'GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            f'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{proof}\r\n').encode())
        self.bytes, self.unread = b'', []
        while b'\r\n\r\n' not in self.bytes:
            self.bytes += self.wire.recv(65536)
        head, self.bytes = self.bytes.split(b'\r\n\r\n', 1)
        assert b' 101 ' in head.split(b'\r\n')[0], head

    def take(self, count):
        while len(self.bytes) < count:
            data = self.wire.recv(65536)
            assert data, 'the relay closed the connection'
            self.bytes += data
        data, self.bytes = self.bytes[:count], self.bytes[count:]
        return data

    def write(self, opcode, data):
        size, mask = len(data), os.urandom(4)
        length = bytes([128 | size]) if size < 126 else struct.pack('>BH', 254, size) if size < 65536 \
            else struct.pack('>BQ', 255, size)
        self.wire.sendall(bytes([128 | opcode]) + length + mask +
                          bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

    def send(self, **frame):
        self.send_text(json.dumps(frame))

    def send_text(self, text):
        self.write(1, text.encode())

    def receive(self):
        text = b''
        while True:
            first, size = self.take(2)
            if size == 126:
                size, = struct.unpack('>H', self.take(2))
            elif size == 127:
                size, = struct.unpack('>Q', self.take(8))
            data, opcode = self.take(size), first & 15
            assert opcode != 8, data
            if opcode == 9:
                self.write(10, data)
            elif opcode < 3:
                text += data
                if first & 128:
                    self.text = text.decode()
                    return json.loads(text)

    def expect(self, kind, **fields):
        """The first frame of that type with those fields; earlier others stay unread."""
        def fits(frame):
            return frame['type'] == kind and all(frame.get(name) == value for name, value in fields.items())
        for at, frame in enumerate(self.unread):
            if fits(frame):
                return self.unread.pop(at)
        while True:
            frame = self.receive()
            if fits(frame):
                return frame
            self.unread.append(frame)

    def has(self, kind):
        return any(frame['type'] == kind for frame in self.unread)
