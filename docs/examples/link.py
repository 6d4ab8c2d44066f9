"""Says hello to a board, reads its first game, starts another and shows what happens in it.

python3 link.py PORT      PORT is /dev/ttyACM0, for instance, or what the simulator prints
"""
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

def wait_for(*numbers):
    return next(message for message in heard if message[0] in numbers)

def skip_number(data):  # its last byte is the first one below 128
    return data[next(at for at, byte in enumerate(data) if byte < 128) + 1:]

port, heard = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), messages()
tty.setraw(port)
os.write(port, b"\0")  # ends what somebody may have left half said
send(0, 1)  # Hello, version 1
hello = wait_for(0)
print("Hello from", hello[3:3 + hello[2]].decode())
send(13, 0)  # GetGame 0: Games, or an Error when there is none
while (game := wait_for(16, 17))[0] == 17:
    last, *text = skip_number(skip_number(game[1:]))
    print(skip_number(bytes(text)).decode(), end="", flush=True)
    if last:
        break
send(3, 1, 0, 0, 0)  # Watch events
send(4, 3, 0, 0)  # NewGame yinsh
for message in heard:
    if 3 <= message[0] < 3 + len(EVENTS):
        about = message[2:2 + message[1]].decode() if message[0] == 3 else list(message[1:])
        print(EVENTS[message[0] - 3], about, flush=True)
