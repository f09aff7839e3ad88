"""What the importer does with a tree of Terminal-Bench 1, written the way people write it in Python, with the standard library alone.

The same files are found and read: the run's documents, its log, and of trials that did not pass the terminals and recordings beside
them. The same rows come out: ids hashed and doubles dropped, times, phases and how each ended, clues of lost verdicts and of
agents that never ran, one JSON line with a checksum each. The verdict's rules are the few that TB1 needs, so that less is done
here than there.

Usage: python3 python_reader.py FOLDER OUT   (prints trials, passes, failures, trials without a verdict)
"""

import binascii
import hashlib
import json
import os
import re
import sys
from datetime import datetime

END = 512 << 10
ESCAPES = re.compile(r"\x1b\[[^\x40-\x7e]*[\x40-\x7e]|\x1b\][^\x07\x1b]*[\x07\x1b]?|\x1b.|\r", re.S)
PROMPT = re.compile(r"^[\w()\-. ]*@[^:\n]*:[^#$\n]*[#$] ?", re.M)
SUMMARY = re.compile(r"^=+ (.*) in [\d.]+s", re.M)
GIVEN_UP = re.compile(r"^Harness execution failed for (\S+): (.*)$", re.M)
LIMIT = re.compile(r"^Agent timed out after ([\d.]+)s for task (\S+?)\.?$", re.M)
MISSING = ("command not found", "No such file or directory", "ModuleNotFoundError")


def load(path):
    try:
        with open(path, "rb") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def ends(path):
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size <= 2 * END:
                data = file.read()
            else:
                head = file.read(END)
                file.seek(size - END)
                data = head + b"\n" + file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return data.decode("utf-8", "replace")


def terminal(path):
    text = ends(path)
    return None if text is None else ESCAPES.sub("", text)


def moment(text):
    return None if text is None else int(datetime.fromisoformat(text).timestamp() * 1000)


def recorded(path):
    text = ends(path)
    if not text:
        return None
    lines = text.splitlines()
    try:
        start = json.loads(lines[0])["timestamp"] * 1000
    except (ValueError, KeyError):
        return None
    for line in reversed(lines[1:]):
        try:
            return start, start + int(json.loads(line)[0] * 1000)
        except (ValueError, IndexError, TypeError):
            continue
    return start, None


def phases(trial, folder):
    if "trial_started_at" in trial:
        start, end = moment(trial["trial_started_at"]), moment(trial["trial_ended_at"])
        agent = moment(trial["agent_started_at"]), moment(trial["agent_ended_at"])
        test = moment(trial["test_started_at"]), moment(trial["test_ended_at"])
    else:
        a = recorded(os.path.join(folder, "sessions/agent.cast")) if folder else None
        t = recorded(os.path.join(folder, "sessions/tests.cast")) if folder else None
        agent = (a[0] if a else None, t[0] if t else (a[1] if a else None))
        test = t or (None, None)
        start, end = agent[0], test[1]
    found = [("start", start, agent[0]), ("agent", *agent), ("verify", *test)]
    return start, end, [{"phase": p, "started_ms": a, "ended_ms": b, "stop": "exited"} for p, a, b in found]


def never_ran(pane):
    at = pane.rfind("; tmux wait -S done")
    if at < 0:
        return None
    typed = None
    for match in PROMPT.finditer(pane, 0, at):
        typed = match
    if typed is None:
        return None
    output = [l for l in pane[at:].splitlines()[1:] if l.strip() and not PROMPT.fullmatch(l)]
    if len(output) > 3:
        return None
    return next((line for line in output if any(words in line for words in MISSING)), None)


def clues(trial, folder):
    found = []
    if folder is None:
        return found
    pane = terminal(os.path.join(folder, "panes/post-agent.txt"))
    if pane:
        line = never_ran(pane)
        if line:
            return [{"kind": "agent never ran", "line": line.strip()[:200]}]
        last = [l for l in pane.splitlines() if l.strip()][-6:]
        for line in last:
            if "RateLimitError" in line or "AgentState.RATE_LIMITED" in line or "RetryError" in line:
                found.append({"kind": "api", "line": line.strip()[:200]})
    if trial["is_resolved"] is None:
        log = terminal(os.path.join(folder, "sessions/tests.log"))
        after = terminal(os.path.join(folder, "panes/post-test.txt"))
        for text in (log, after):
            match = None
            for match in SUMMARY.finditer(text or ""):
                pass
            if match:
                found.append({"kind": "verdict lost", "line": match.group(1)})
                break
    return found


def row(trial, run, folder, limits):
    start, end, steps = phases(trial, folder)
    mode, resolved = trial["failure_mode"], trial["is_resolved"]
    tests = trial.get("parser_results") or {}
    had = (steps[1]["ended_ms"] or 0) - (steps[1]["started_ms"] or 0)
    notes = []
    if mode == "agent_timeout":
        limit = limits.get(trial["task_id"], had)
        steps[1]["stop"] = {"deadline": limit}
        if had > limit + 10_000:
            notes.append(f"the agent went on for {(had - limit) // 1000} s after its limit")
    elif mode == "test_timeout":
        steps[2]["stop"] = {"deadline": (steps[2]["ended_ms"] or 0) - (steps[2]["started_ms"] or 0)}
    elif mode == "unknown_agent_error":
        steps[1]["stop"] = {"failed": "unknown"}
    signs = [] if resolved else clues(trial, folder)
    if resolved:
        blame = "nobody"
    elif any(sign["kind"] == "agent never ran" for sign in signs) or mode == "unknown_agent_error":
        blame = "not started"
    elif any(sign["kind"] == "api" for sign in signs):
        blame = "fault"
    else:
        blame = "agent" if resolved is False else "undetermined"
    tokens = trial.get("total_input_tokens"), trial.get("total_output_tokens")
    counted = any(tokens)
    return {
        "task": trial["task_id"], "trial": trial["trial_name"], "run": run, "started_at_ms": start,
        "wall_ms": end - start if end and start else None, "phases": steps, "notes": notes,
        "reward": None if resolved is None else float(resolved), "tests": len(tests),
        "tests_passed": sum(word == "passed" for word in tests.values()),
        "tokens_in": tokens[0] if counted else None, "tokens_out": tokens[1] if counted else None,
        "clues": signs, "failure": mode, "blame": blame,
    }


def run_log(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except FileNotFoundError:
        return {}, []
    limits = {task: int(float(seconds) * 1000) for seconds, task in LIMIT.findall(text)}
    return limits, GIVEN_UP.findall(text)


def main(root, out):
    seen, counts, number = set(), {True: 0, False: 0, None: 0}, 0
    with open(out, "w", encoding="utf-8") as rows:
        for folder, folders, names in os.walk(root):
            documents = [name for name in names if name.endswith("results.json")]
            run = [(name, load(os.path.join(folder, name))) for name in documents]
            run = [(name, document) for name, document in run if "results" in document]
            if not run:
                continue
            load(os.path.join(folder, "run_metadata.json"))
            load(os.path.join(folder, "tb.lock"))
            limits, _ = run_log(os.path.join(folder, "run.log"))
            for name, document in run:
                for trial in document["results"]:
                    key = trial.get("id") or trial.get("uuid")
                    digest = hashlib.sha256(key.encode()).digest()[:16]
                    if digest in seen:
                        continue
                    seen.add(digest)
                    own = os.path.join(folder, trial["task_id"], trial["trial_name"])
                    made = row(trial, os.path.basename(folder), own if os.path.isdir(own) else None, limits)
                    text = json.dumps(made)
                    crc = binascii.crc32(f"{number}:{text}".encode())
                    rows.write(f'{{"seq":{number},"crc":"{crc:08x}","event":{text}}}\n')
                    counts[trial["is_resolved"]] += 1
                    number += 1
            # What lies below are this run's trials, and perhaps a copy of another run.
            tasks = {trial["task_id"] for _, document in run for trial in document["results"]}
            folders[:] = [name for name in folders if name not in tasks]
    print(number, counts[True], counts[False], counts[None])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
