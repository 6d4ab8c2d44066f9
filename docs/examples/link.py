"""Starts a game of YINSH on a board and shows what happens in it: python3 link.py PORT"""
import os, sys, tty, zlib

EVENTS = "Committed Undone Prompt Refused Question BackInPlay Fault Sound".split()  # from 3 on

def send(*message):  # requests are shorter than 254 bytes, so COBS cuts at zeros only
    pieces = (bytes(message) + zlib.crc32(bytes(message)).to_bytes(4, "little")).split(b"\0")
    os.write(port, b"".join(bytes([len(piece) + 1]) + piece for piece in pieces) + b"\0")

def messages(buffer=b""):
    while True:
        *frames, buffer = (buffer + os.read(port, 4096)).split(b"\0")
        for rest in frames:
            data = b""
            while rest:
                data += rest[1:rest[0]] + b"\0" * (rest[0] < min(255, len(rest)))
                rest = rest[rest[0]:]
            if zlib.crc32(data[:-4]).to_bytes(4, "little") == data[-4:]:
                yield data[:-4]

port, heard = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), messages()
tty.setraw(port)
os.write(port, b"\0")  # ends what somebody may have left half said
if __name__ == "__main__":
    for request in (0, 1), (3, 1, 0, 0, 0), (4, 3, 0, 0):  # Hello, Watch events, NewGame yinsh
        send(*request)
    for message in heard:
        if 3 <= message[0] < 3 + len(EVENTS):
            about = message[2:2 + message[1]].decode() if message[0] == 3 else list(message[1:])
            print(EVENTS[message[0] - 3], about, flush=True)
