"""The import beside the same reading in Python and beside the bytes alone, in turns; medians of CPU and wall time, and their ratios.

Usage: python3 benches/import_compare.py EXAMPLES TREE [ROUNDS]

EXAMPLES is the folder with the built examples import_rows and read_bytes. What import_rows opened is found with strace, so that
the yardstick reads the same files; a second one reads every document of results in the tree.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ENDINGS = ["results.json", "run_metadata.json", "tb.lock", "result.json", "config.json", "lock.json"]


def measure(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read().strip()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{command} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, said


def opened(command, tree, log):
    subprocess.run(["strace", "-f", "-e", "trace=openat,open", "-o", log, *command], check=True, stdout=subprocess.DEVNULL)
    pattern = re.compile(r'"(%s[^"]*)".*= \d+$' % re.escape(str(tree)))
    found = (match.group(1) for match in map(pattern.search, open(log, errors="replace")) if match)
    return [path for path in found if os.path.isfile(path)]


def main():
    examples, tree = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    reader = pathlib.Path(__file__).parent.parent / "crates/infranoise-formats/benches/python_reader.py"
    with tempfile.TemporaryDirectory() as folder:
        rows, listed = os.path.join(folder, "rows"), os.path.join(folder, "list")
        ours = [str(examples / "import_rows"), rows, str(tree)]
        files = opened(ours, tree, os.path.join(folder, "trace"))
        pathlib.Path(listed).write_text("".join(f"{path}\n" for path in dict.fromkeys(files)))
        print(f"{len(files)} files were opened, {len(set(files))} of them different")
        turns = {
            "ours": ours,
            "Python": [sys.executable, str(reader), str(tree), rows],
            "the same files' bytes": [str(examples / "read_bytes"), f"@{listed}"],
            "all documents' bytes": [str(examples / "read_bytes"), str(tree), *ENDINGS],
        }
        times = {name: [] for name in turns}
        for _ in range(rounds):
            for name, command in turns.items():
                times[name].append(measure(command))
    base = {at: statistics.median(run[at] for run in times["ours"]) for at in (0, 1)}
    for name, runs in times.items():
        wall, cpu = (statistics.median(run[at] for run in runs) for at in (0, 1))
        print(f"{name:22} wall {wall * 1e3:8.1f} ms ({wall / base[0]:5.2f}x ours)  CPU {cpu * 1e3:8.1f} ms ({cpu / base[1]:5.2f}x ours)"
              f"  {max(run[2] for run in runs) // 1024} MiB  [{runs[0][3]}]")


main()
