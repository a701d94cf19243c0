"""Signs and checks callers with libsecsipid, which is not ours: `sign orig dest attest origid x5u key`, `check identity key`."""
import ctypes
import sys

library = ctypes.CDLL('libsecsipid.so.1')
what, *words = [word.encode() for word in sys.argv[1:]]
if what == b'sign':
    identity = ctypes.c_char_p()
    if library.SecSIPIDGetIdentity(*words, ctypes.byref(identity)) <= 0:
        sys.exit('it cannot be signed')
    print(identity.value.decode())
else:
    identity, key = words
    # So many seconds old it may be, and so many its certificate may take to come.
    print(library.SecSIPIDCheckFull(identity, len(identity), 60, key, 3))
