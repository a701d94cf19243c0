"""Connects, says what it is told to, and never reads: as a program that is stopped. Its buffers are as small as they go."""
import socket
import sys
import time

host, port, said = sys.argv[1], int(sys.argv[2]), sys.argv[3]
reader = socket.socket()
reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
# what the other side may have under way grows with it
reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
reader.connect((host, port))
reader.sendall(said.encode())
print('connected', flush=True)
time.sleep(600)
