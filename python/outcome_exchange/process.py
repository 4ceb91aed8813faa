"""The process of an exchange: finding the program, its start, and its end.

Invariant: the exchange ends with the Python process that started it, however that ends. It gets one
end of a pair of sockets as its IPC channel and stops when the other end, which is here, is closed.
"""
from __future__ import annotations

import collections
import json
import os
import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path

LOG_LINES = 20
LEAST_NODE = 20
STOP_SECONDS = 30
_HERE = Path(__file__).resolve()

_NO_PROGRAM = """outcome-exchange was not found: {where}. Do one of these:
- in a clone, `pip install -e python`, or set OUTCOME_EXCHANGE to the file outcome-exchange in it;
- `npm install outcome-exchange-*.tgz` in your project (docs/package.md)"""
_NO_NODE = """The exchange needs Node {least} or later with npm, to install its packages at the
first start, and {found}. Install it from https://nodejs.org, or with `apt-get install nodejs npm`
(Debian 13, Ubuntu 25.04 or later) or `brew install node`"""


def find_program() -> Path:
    """The program: that of OUTCOME_EXCHANGE, of the clone or npm package that has this file, of a
    node_modules folder from the current one upwards, or of the PATH. Raises FileNotFoundError."""
    named = os.environ.get("OUTCOME_EXCHANGE", "")
    if named:
        if Path(named).is_file():
            return Path(named).resolve()
        raise FileNotFoundError(_NO_PROGRAM.format(where=f"OUTCOME_EXCHANGE is {named!r}, no file"))
    folder = Path.cwd()
    candidates = [_HERE.parents[2] / "outcome-exchange"]
    candidates += [at / "node_modules/.bin/outcome-exchange" for at in [folder, *folder.parents]]
    candidates += [Path(found) for found in [shutil.which("outcome-exchange")] if found]
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    where = "it is not beside this package, in node_modules or on the PATH"
    raise FileNotFoundError(_NO_PROGRAM.format(where=where))


def check_node(program: Path) -> None:
    """Raises RuntimeError if nothing can run the program: neither the Node among its packages, nor
    a Node and npm of this machine, which install them."""
    packages = [program.parent / "node_modules", program.parent.parent]
    if any((folder / "node/bin/node").exists() for folder in packages):
        return
    found = "there is no node on the PATH"
    if shutil.which("node"):
        answer = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, text=True).stdout
        version = re.match(r"v(\d+)\.", answer)
        found = f"node on the PATH is {answer.strip() or 'broken'}"
        if version and int(version[1]) >= LEAST_NODE:
            if shutil.which("npm"):
                return
            found = "there is no npm on the PATH"
    raise RuntimeError(_NO_NODE.format(least=LEAST_NODE, found=found))


class Process:
    """A running exchange. `ready` is what it said when it was ready."""

    def __init__(self, flags, environment, timeout, on_log):
        """Returns when it is ready. Raises RuntimeError with the end of its log if it ends before,
        or takes longer than `timeout` seconds."""
        program = find_program()
        check_node(program)
        self._channel, theirs = socket.socketpair()
        # Options of another program's Node would slow the exchange down.
        inherited = {name: text for name, text in os.environ.items() if name != "NODE_OPTIONS"}
        with theirs:
            self._process = subprocess.Popen(
                [str(program), "serve", "--json", "--stop-with-parent", *flags],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**inherited, **environment, "NODE_CHANNEL_FD": str(theirs.fileno())},
                pass_fds=[theirs.fileno()],
                # Ctrl-C reaches this process alone, which then stops the exchange.
                start_new_session=True,
            )
        self._log = collections.deque(maxlen=LOG_LINES)
        self._reader = threading.Thread(target=self._read_log, args=[on_log], daemon=True)
        self._reader.start()
        try:
            self.ready = json.loads(self._first_line(timeout))
        except BaseException:
            self.stop()
            raise

    def _read_log(self, on_log):
        for line in self._process.stderr:
            self._log.append(line)
            if on_log is not None:
                on_log(line.rstrip("\n"))

    def _first_line(self, timeout) -> str:
        late = threading.Event()

        def give_up():
            late.set()
            self._process.kill()

        timer = threading.Timer(timeout, give_up)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if line.endswith("\n"):
            return line
        code = self._process.wait()
        self._reader.join()
        end = f"was not ready within {timeout} s" if late.is_set() else f"ended with code {code}"
        raise RuntimeError(f"the exchange {end} before it was ready:\n{''.join(self._log)}")

    def stop(self) -> None:
        """Ends it as a signal does, and returns when it has ended; a second call does nothing.
        Raises RuntimeError if it had to be killed after STOP_SECONDS."""
        process = self._process
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise RuntimeError(f"the exchange did not stop within {STOP_SECONDS} s") from None
        self._channel.close()
        self._reader.join()
        process.stdout.close()
        process.stderr.close()
