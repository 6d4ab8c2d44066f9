"""Says which board is there and prints the first game that it has kept: python3 record.py PORT"""
from link import heard, send

def skip_number(data):  # its last byte is the first one below 128
    return data[next(at for at, byte in enumerate(data) if byte < 128) + 1:]

def wait_for(*numbers):
    return next(message for message in heard if message[0] in numbers)

send(0, 1)  # Hello, version 1
hello = wait_for(0)
print("Hello from", hello[3:3 + hello[2]].decode())
send(13, 0)  # GetGame 0: Games, or an Error when there is none
last = False
while not last and (game := wait_for(16, 17))[0] == 17:
    last, *text = skip_number(skip_number(game[1:]))
    print(skip_number(bytes(text)).decode(), end="")
