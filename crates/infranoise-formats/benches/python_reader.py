"""The least that a reader in Python must do: find the result files below a folder, parse them, count trials and passes.

Usage: python3 python_reader.py FOLDER   (prints trials, passes, seconds)
"""

import json
import os
import sys
import time


def trials(document):
    if isinstance(document, dict) and isinstance(document.get("results"), list):
        yield from document["results"]
    elif isinstance(document, dict) and "trial_name" in document:
        yield document


def passed(trial):
    if "is_resolved" in trial:
        return trial["is_resolved"] is True
    rewards = (trial.get("verifier_result") or {}).get("rewards") or {}
    return (rewards.get("reward") or 0) >= 1


def main(root):
    start = time.perf_counter()
    seen, count, solved = set(), 0, 0
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(("result.json", "results.json")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                document = json.load(file)
            for trial in trials(document):
                key = trial.get("id") or trial.get("uuid") or (folder, trial.get("trial_name"))
                if key not in seen:
                    seen.add(key)
                    count += 1
                    solved += passed(trial)
    print(count, solved, f"{time.perf_counter() - start:.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
