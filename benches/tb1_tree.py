"""A tree like that of the Terminal-Bench 1 leaderboard: its rows as they were, in all of its layouts, with logs grown from real samples.

Usage: python3 benches/tb1_tree.py REFERENCE OUT [--logs]

REFERENCE holds tb1/trials.csv (5,200 rows), tb1/submissions and tb1/trials. Verdicts, failure modes, times, tokens and counts of tests
are those of the rows; instructions are those of the tasks; ids are drawn. 80 rows are there twice, as in the leaderboard's own tree.
"""

import csv
import datetime
import json
import pathlib
import random
import sys
import uuid

FLAT = {"orch-opus41": "0.2.7", "orch-s4": "0.2.7", "orch-qwen3": "0.2.7"}
LOGGED = {**FLAT, "openhands-s4": "0.2.12", "miniswe-s4": "0.2.15"}
FOLDERS = {"droid-opus41": "0.2.17", "droid-s4": "0.2.17", "droid-gpt5": "0.2.17", "cursor-s4": None}
FILES = {"goose-opus4", "goose-s4"}
COPIED = ("miniswe-s4", "2025-08-15__16-23-45", "2025-08-15__19-28-24")

rng = random.Random(20260205)


def drawn():
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def instructions(reference):
    found = {}
    for path in sorted(reference.glob("tb1/submissions/**/results.json")):
        document = json.loads(path.read_text())
        for trial in document.get("results", [document]):
            found.setdefault(trial["task_id"], trial["instruction"])
    return found


def samples(reference):
    """The logs of each real trial at hand: name below the trial's folder -> bytes."""
    found = []
    for results in sorted((reference / "tb1/trials").glob("**/results.json")):
        files = {str(p.relative_to(results.parent)): p.read_bytes() for p in results.parent.rglob("*") if p.is_file()}
        files.pop("results.json")
        if files:
            found.append(files)
    return found


def when(row, seconds):
    if not row["trial_started_at"]:
        return None
    start = datetime.datetime.fromisoformat(row["trial_started_at"])
    return (start + datetime.timedelta(seconds=seconds)).isoformat(timespec="microseconds")


def number(text):
    return float(text) if text else 0.0


def trial(row, version, name, run, instruction):
    tests, passed = int(number(row["n_tests"])), int(number(row["n_pass"]))
    resolved = {"True": True, "False": False}.get(row["is_resolved"])
    results = {f"test_{n}_of_{row['task']}": "passed" if n < passed else "failed" for n in range(tests)} or None
    made = {
        "id": drawn(),
        "trial_name": name,
        "task_id": row["task"],
        "instruction": instruction,
        "is_resolved": resolved,
        "failure_mode": row["failure_mode"],
        "parser_results": results,
        "recording_path": f"{run}/{row['task']}/{name}/sessions/agent.cast",
        "total_input_tokens": int(number(row["input_tokens"])),
        "total_output_tokens": int(number(row["output_tokens"])),
    }
    if version == "0.2.7":
        made["uuid"] = made.pop("id")
        return made
    setup, agent, test = (number(row[key]) for key in ("setup_sec", "agent_sec", "test_sec"))
    times = {"trial_started_at": 0.0, "trial_ended_at": number(row["total_sec"])}
    times |= {"agent_started_at": setup, "agent_ended_at": setup + agent}
    times |= {"test_started_at": setup + agent + 1, "test_ended_at": setup + agent + 1 + test}
    has = {"trial": True, "agent": bool(row["agent_sec"]), "test": bool(row["test_sec"])}
    return made | {key: when(row, at) if has[key.split("_")[0]] else None for key, at in times.items()}


def write(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=4))


def cast(log, start, seconds):
    header = {"version": 2, "width": 160, "height": 40, "timestamp": int(start), "env": {"SHELL": "/bin/bash", "TERM": "screen"}}
    text = log.decode("utf-8", "replace")
    parts = [text[at : at + 160] for at in range(0, len(text), 160)] or [""]
    lines = [json.dumps([round(seconds * (n + 1) / len(parts), 6), "o", part]) for n, part in enumerate(parts)]
    return "\n".join([json.dumps(header), *lines]) + "\n"


def logs(folder, row, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    start = 1757186185 + rng.randrange(1_000_000)
    agent = number(row["agent_sec_cast"]) or number(row["agent_sec"]) or 60.0
    test = number(row["test_sec_cast"]) or number(row["test_sec"]) or 10.0
    for name, begins, seconds in (("agent", start, agent), ("tests", start + agent, test)):
        log = files.get(f"sessions/{name}.log", b"") or files.get("panes/post-agent.txt", b"")
        (folder / "sessions").mkdir(parents=True, exist_ok=True)
        (folder / f"sessions/{name}.cast").write_text(cast(log, begins, seconds))


def shared(folder, submission, run, rows, version):
    n = number(rows[0]["n_concurrent"]) or None
    metadata = {"run_id": run, "uuid": drawn(), "dataset_name": "terminal-bench-core", "dataset_version": "0.1.1"}
    metadata |= {"agent_name": submission, "model_name": None, "task_ids": sorted({row["task"] for row in rows})}
    metadata |= {"n_attempts": len(rows) // 80, "n_concurrent_trials": n and int(n), "accuracy": None}
    write(folder / "run_metadata.json", metadata)
    config = {"n_concurrent_trials": n and int(n), "n_attempts": len(rows) // 80, "global_timeout_multiplier": 1.0}
    lock = {"lockfile_version": "1.0", "harness": {"package": "terminal-bench", "version": version}}
    write(folder / "tb.lock", lock | {"agent": {"name": submission, "model_name": None}, "run_config": config})


def whole(trials):
    solved = [t["task_id"] for t in trials if t["is_resolved"]]
    rest = [t["task_id"] for t in trials if not t["is_resolved"]]
    return {"id": drawn(), "results": trials, "pass_at_k": {}, "n_resolved": len(solved), "n_unresolved": len(rest),
            "resolved_ids": solved, "unresolved_ids": rest, "accuracy": len(solved) / len(trials)}


def main():
    reference, out, with_logs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), "--logs" in sys.argv
    known, real = instructions(reference), samples(reference)
    run_logs = [path.read_bytes() for path in sorted((reference / "tb1/trials").glob("**/run.log"))]
    runs = {}
    for row in csv.DictReader(open(reference / "tb1/trials.csv")):
        runs.setdefault((row["submission"], row["run"]), []).append(row)
    for (submission, run), rows in runs.items():
        version = LOGGED.get(submission, FOLDERS.get(submission, "0.2.17"))
        folder = out / submission if submission in FLAT else out / submission / run
        trials = []
        for row in rows:
            name = f"{row['task']}.{int(number(row['attempt']))}-of-5" if submission in FLAT else f"{row['task']}.1-of-1.{run}"
            made = trial(row, version, name, run, known.get(row["task"], ""))
            trials.append(made)
            own = folder / row["task"] / name
            # What the harness itself gave up has no document of its own.
            given_up = row["failure_mode"] == "unknown_agent_error"
            if (submission in LOGGED or submission in FOLDERS) and not given_up:
                write(own / "results.json", made)
                if with_logs and submission in LOGGED:
                    logs(own, row, rng.choice(real))
        if submission in FILES:
            write(out / submission / f"{run}_results.json", whole(trials))
            continue
        write(folder / "results.json", whole(trials))
        if submission == COPIED[0] and run == COPIED[1]:
            write(out / submission / COPIED[2] / run / "results.json", whole(trials))
        if submission != "cursor-s4":
            shared(folder, submission, run, rows, version)
        if with_logs and submission in LOGGED:
            (folder / "run.log").write_bytes(rng.choice(run_logs))


main()
