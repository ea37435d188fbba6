"""Puts the session of checkpoint.json into the database of Deep Agents Code.

    python3 import_deepagents.py checkpoint.json HOME/.state/sessions.db

HOME is the folder of Deep Agents: $DEEPAGENTS_HOME, or ~/.deepagents. The Python
must be the one that dcode runs with, since LangGraph's own packages write the
database. It is made when it is not there; other threads in it are not touched,
and a thread that is there is never overwritten. This does what `trajmap prepare`
and `trajmap handoff` do, for people without trajmap.

Databases of versions that nobody tried are written to when
DEEPAGENTS_ALLOW_UNTESTED=1 is set.
"""

import hashlib
import json
import math
import os
import shlex
import shutil
import sqlite3
import sys
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

OLDEST, NEWEST = (0, 1, 57), (0, 1, 80)
OVERRIDE = "DEEPAGENTS_ALLOW_UNTESTED"
PATIENCE = 5.0  # seconds that a lock of another program is waited for
CHANNEL = "messages"


class Refused(Exception):
    """Why nothing was written."""


# Reading the document. What is in it is never trusted to be what it should be.


def load(path):
    """The document, with values as the database can hold them."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        document = json.loads(text, parse_int=whole, parse_float=fraction, parse_constant=constant)
        return clean(document)
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(f"{path!r} cannot be read: {error}") from None


def whole(digits):
    """An integer; beyond 64 bits, which msgpack has no more of, the nearest double."""
    number = int(digits) if len(digits) <= 20 else None
    if number is not None and -(2**63) <= number < 2**64:
        return number
    return fraction(digits)


def fraction(digits):
    number = float(digits)
    return number if math.isfinite(number) else None


def constant(name):
    raise ValueError(f"{name} is no JSON")


def clean(value):
    """The value without half characters, which cannot be stored."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    elif isinstance(value, list):
        return [clean(item) for item in value]
    elif isinstance(value, dict):
        return {clean(name): clean(item) for name, item in value.items()}
    return value


def text(value):
    return isinstance(value, str)


def named(value):
    return isinstance(value, str) and value != ""


def maybe(check):
    return lambda value: value is None or check(value)


def scalars(value):
    return isinstance(value, dict) and all(isinstance(item, (str, int, float, bool)) for item in value.values())


def fields(value, where, required, optional=()):
    """Checks that an object has fields of the right types, and no others."""
    optional = dict(optional)
    if not isinstance(value, dict):
        raise Refused(f"{where} is no object")
    for name, check in required.items():
        if name not in value or not check(value[name]):
            raise Refused(f"{where}: {name} is missing, or not what it should be")
    for name, item in value.items():
        if name in optional and not optional[name](item):
            raise Refused(f"{where}: {name} is not what it should be")
        if name not in required and name not in optional:
            raise Refused(f"{where} has a field that is not known: {name!r}")


def check(document):
    """Holds the document against what its program expects of a thread."""
    fields(document, "the document", {
        "version": lambda v: v == 1 and v is not True, "source": lambda v: v == "deepagents",
        "session": lambda v: isinstance(v, dict), "messages": lambda v: isinstance(v, list) and v != [],
    })
    fields(document["session"], "the session", {
        "threadId": named, "checkpointNamespace": lambda v: v == "", "cwd": named, "createdAt": text, "metadata": scalars,
    }, {"model": maybe(text), "title": maybe(text)})
    ids, waiting = set(), []
    for number, message in enumerate(document["messages"], 1):
        check_message(message, f"message {number}", ids, waiting)
    if waiting:
        raise Refused("the last calls have no results")


def check_message(message, where, ids, waiting):
    role = message.get("role") if isinstance(message, dict) else None
    common = {"id": named, "role": text, "content": text}
    if role == "tool":
        fields(message, where, common | {"toolCallId": named}, {
            "timestamp": text, "status": lambda v: v in ("success", "error"),
        })
        if message["toolCallId"] not in waiting:
            raise Refused(f"{where} is the result of no call that waits for one")
        waiting.remove(message["toolCallId"])
    elif waiting:
        raise Refused(f"{where}: calls before it have no results")
    elif role == "human":
        fields(message, where, common, {"timestamp": text})
    elif role == "ai":
        fields(message, where, common | {"toolCalls": lambda v: isinstance(v, list)}, {
            "timestamp": text, "model": maybe(text), "reasoning": lambda v: isinstance(v, list) and all(map(text, v)),
        })
        for call in message["toolCalls"]:
            fields(call, f"{where}: a call", {"id": named, "name": named, "args": lambda v: isinstance(v, dict)})
            if call["id"] in waiting:
                raise Refused(f"{where}: two calls have one id")
            waiting.append(call["id"])
    else:
        raise Refused(f"{where}: its role is none of human, ai and tool")
    if message["id"] in ids:
        raise Refused(f"{where}: a message before it has its id")
    ids.add(message["id"])


# Writing the thread, with the packages of LangGraph and LangChain.


def tested():
    """Refuses a program that keeps its threads in a way that nobody tried."""
    if os.environ.get(OVERRIDE) == "1":
        return
    span = ".".join(map(str, OLDEST)) + " to " + ".".join(map(str, NEWEST))
    try:
        version = metadata.version("deepagents-code")
    except metadata.PackageNotFoundError:
        raise Refused(f"this Python has no deepagents-code{other_python()}") from None
    parts = version.split(".")[:3]
    if not all(map(str.isdigit, parts)) or not OLDEST <= tuple(map(int, parts)) <= NEWEST:
        raise Refused(f"deepagents-code {version} was not tried, only {span} ({OVERRIDE}=1 writes all the same)")


def other_python():
    """Where the Python of dcode may be, for whoever runs this with another one."""
    command = shutil.which("dcode")
    if command is None:
        return ": run this with the Python that dcode is installed in"
    python = Path(command).resolve().parent / "python"
    return f": try {shlex.quote(str(python))}" if python.exists() else f": run this with the Python of {shlex.quote(command)}"


def message_of(message):
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    known = {"model_name": message.get("model"), "timestamp": message.get("timestamp")}
    common = {
        "id": message["id"], "content": message["content"],
        "response_metadata": {name: item for name, item in known.items() if item is not None},
    }
    if message["role"] == "human":
        return HumanMessage(**common)
    if message["role"] == "tool":
        return ToolMessage(tool_call_id=message["toolCallId"], status=message.get("status", "success"), **common)
    calls = [{"name": call["name"], "args": call["args"], "id": call["id"], "type": "tool_call"} for call in message["toolCalls"]]
    return AIMessage(tool_calls=calls, **common)


def lease(database, thread):
    """Keeps newer dcodes from opening the thread while it is written."""
    try:
        import fcntl
    except ImportError:
        return []
    stem = database.resolve().with_name(database.name + ".owners") / hashlib.sha256(thread.encode()).hexdigest()
    held = []
    for suffix in (".writer", ".client"):
        try:
            held.append(open(f"{stem}{suffix}", "r+b"))
            fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            pass
        except BlockingIOError:
            raise Refused("the thread is open in dcode: close it there, and try again") from None
    return held


def write(document, database):
    from langgraph.checkpoint.base import empty_checkpoint
    from langgraph.checkpoint.sqlite import SqliteSaver

    session = document["session"]
    thread = session["threadId"]
    messages = [message_of(message) for message in document["messages"]]
    config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    connection = sqlite3.connect(str(database), timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        saver = SqliteSaver(connection)
        saver.setup()
        connection.execute("BEGIN IMMEDIATE")
        for table in ("checkpoints", "writes"):
            if connection.execute(f"SELECT 1 FROM {table} WHERE thread_id = ? LIMIT 1", (thread,)).fetchone():
                raise Refused(f"{str(database)!r} has the thread {thread!r} already")
        version = saver.get_next_version(None, None)
        new = empty_checkpoint()
        checkpoint = {
            "v": 4, "ts": new["ts"], "id": new["id"], "channel_values": {CHANNEL: messages},
            "channel_versions": {CHANNEL: version}, "versions_seen": {}, "updated_channels": None,
        }
        noted = {"source": "update", "step": 0, "parents": {}, "updated_at": datetime.now(timezone.utc).isoformat()}
        for name, item in session["metadata"].items():
            noted.setdefault(name, item)
        saver.put(config, checkpoint, noted, {CHANNEL: version})  # and with it the transaction ends
        there = saver.get_tuple(config)
        if there is None or there.checkpoint["channel_values"][CHANNEL] != messages:
            saver.delete_thread(thread)
            raise Refused("the thread does not read back as it was written: it was taken away again")
    finally:
        connection.close()


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    os.umask(0o077)
    database = Path(arguments[1])
    try:
        tested()
        document = load(arguments[0])
        check(document)
        # Older programs had it elsewhere. It is moved when dcode is started, unless
        # there is one already: then nobody would see the old threads again.
        if not database.exists() and (database.parent.parent / database.name).exists():
            raise Refused("dcode has its threads elsewhere still, and moves them when it is started: start it once")
        database.parent.mkdir(parents=True, exist_ok=True)
        held = lease(database, document["session"]["threadId"])
        try:
            write(document, database)
        finally:
            for file in held:
                file.close()
    except ImportError as error:
        sys.exit(f"import_deepagents.py: {error}{other_python()}")
    except (Refused, OSError, sqlite3.Error) as error:
        sys.exit(f"import_deepagents.py: {error}")
    home = database.resolve().parent.parent
    print("cd", shlex.quote(document["session"]["cwd"]), "&&", "HOME=" + shlex.quote(str(home.parent)),
          "DEEPAGENTS_HOME=" + shlex.quote(str(home)), "dcode -r", shlex.quote(document["session"]["threadId"]))


if __name__ == "__main__":
    main(sys.argv[1:])
