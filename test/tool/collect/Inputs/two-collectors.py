"""two-collectors.py SOCKET: one listens, a second is refused, the first is
killed, a third takes over and ends by SIGTERM. Prints what they say."""

import os
import signal
import subprocess
import sys

Command = ["instantrace", "collect", sys.argv[1]]


def start():
    Process = subprocess.Popen(Command, stdout=subprocess.PIPE)
    print(Process.stdout.readline().decode(), end="", flush=True)
    return Process


def there():
    return "there" if os.path.exists(sys.argv[1]) else "gone"


First = start()
subprocess.run(Command, stderr=subprocess.STDOUT, timeout=600)
First.kill()
First.wait()
print("killed, the socket is " + there(), flush=True)
Third = start()
Third.send_signal(signal.SIGTERM)
print("ended with %d, the socket is %s" % (Third.wait(timeout=600), there()))
