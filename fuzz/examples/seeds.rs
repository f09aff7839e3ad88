//! Writes the seeds of the corpus from the fixtures of the formats crate: `cargo run --example seeds CORPUS`.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use infranoise_core::{Event, SweepId};
use infranoise_formats::results::import;
use infranoise_fuzz::layout::{MARK, folder};
use infranoise_fuzz::results::{HARBOR, SWEBENCH, TB1};
use infranoise_store::SweepFolder;

fn main() -> io::Result<()> {
    let corpus = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "corpus".into()));
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/infranoise-formats/tests/fixtures");
    let read = |name: &str| fs::read(fixtures.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let seed = |target: &str, name: &str, bytes: &[u8]| -> io::Result<()> {
        fs::create_dir_all(corpus.join(target))?;
        fs::write(corpus.join(target).join(name), bytes)
    };
    for trial in ["1x/sum__kill002", "1x/sum__pull003", "3x/sum__late105", "3x/sum__pass101", "3x/sum__limit103", "3x/sum__conn104"] {
        let arm = trial.split('/').next().unwrap_or_default();
        let mut files = vec![(HARBOR[0], read(&format!("harbor/jobs/{trial}/result.json")))];
        for name in ["result.json", "config.json", "lock.json"] {
            files.push((named(HARBOR, &format!("one/{name}")), read(&format!("harbor/jobs/{arm}/{name}"))));
        }
        files.push((named(HARBOR, "walker.txt"), read("harbor/jobs/1x/sum__kill002/agent/walker.txt")));
        files.push((named(HARBOR, "exit-code.txt"), b"137\n".to_vec()));
        files.push((named(HARBOR, "job.log"), b"Trial sum__aaaaaaa failed with exception X. Retrying in 2 s\n".to_vec()));
        files.push((named(HARBOR, "trial.log"), b"Running command: x\nSkipping exception record y\n".to_vec()));
        files.push((named(HARBOR, "task.toml"), read("harbor/tasks/sum/task.toml")));
        seed("harbor", &trial.replace('/', "-"), &pack(HARBOR, &files))?;
    }
    let old = [(HARBOR[0], read("harbor/old/nightly/ancient__abc1234/result.json")), (HARBOR[3], read("harbor/old/nightly/config.json"))];
    seed("harbor", "old", &pack(HARBOR, &old))?;
    let run = "tb1/team/run-a";
    let of_run = [
        (TB1[0], read(&format!("{run}/results.json"))),
        (named(TB1, "run_metadata.json"), read(&format!("{run}/run_metadata.json"))),
        (named(TB1, "tb.lock"), read(&format!("{run}/tb.lock"))),
        (named(TB1, "run.log"), read(&format!("{run}/run.log"))),
        (named(TB1, "post-agent.txt"), read(&format!("{run}/weave/weave.1-of-1.run-a/panes/post-agent.txt"))),
        (named(TB1, "tests.log"), read(&format!("{run}/knit/knit.1-of-1.run-a/sessions/tests.log"))),
    ];
    seed("tb1", "run", &pack(TB1, &of_run))?;
    let alone = (TB1[1], read(&format!("{run}/weave/weave.1-of-1.run-a/results.json")));
    seed("tb1", "folders", &pack(TB1, &[alone, of_run[3].clone(), of_run[4].clone(), of_run[5].clone()]))?;
    let cast = |name: &str| read(&format!("tb1/flat/count/count.1-of-2/sessions/{name}"));
    let flat = [(TB1[1], read("tb1/flat/count/count.1-of-2/results.json")), (TB1[8], cast("agent.cast")), (TB1[9], cast("tests.cast"))];
    seed("tb1", "flat", &pack(TB1, &flat))?;
    seed("cast", "both", &pack(&TB1[8..10], &flat[1..]))?;
    for (which, name) in [(0, "finished.eval"), (0, "crashed.eval"), (1, "document.json")] {
        seed("inspect", name, &[&[which], read(&format!("inspect/{name}")).as_slice()].concat())?;
    }
    for id in ["lib__a-8", "lib__a-9"] {
        seed("mini_swe_agent", id, &read(&format!("mini-swe-agent/{id}/{id}.traj.json")))?;
    }
    let logs = "swebench/logs/run_evaluation/night/walker__model-1";
    for instance in ["lib__a-1", "lib__a-2", "lib__a-3"] {
        let mut files = vec![(SWEBENCH[0], read("swebench/walker__model-1.night.json")), (SWEBENCH[1], read("swebench/preds.jsonl"))];
        for name in ["report.json", "run_instance.log", "test_output.txt"] {
            let path = format!("{logs}/{instance}/{name}");
            if fixtures.join(&path).exists() {
                files.push((named(SWEBENCH, name), read(&path)));
            }
        }
        seed("swebench", instance, &pack(SWEBENCH, &files))?;
    }
    seed("openhands", "output", &read("openhands/output.jsonl"))?;
    seed("table", "csv", &[&[0], read("table/trials.csv").as_slice()].concat())?;
    seed("table", "jsonl", b"\x02{\"task\":\"a\",\"arm\":\"1x\",\"repeat\":0,\"pass\":true}\n{\"task\":\"b\",\"pass\":null,\"infra\":\"network\"}\n")?;
    seed("atif", "silence", br#"{"schema_version":"ATIF-v1.8","steps":[{"timestamp":"2026-01-01T00:00:00Z","source":"user"},{"timestamp":"2026-01-01T00:03:00Z","source":"agent"}],"final_metrics":{"total_prompt_tokens":5,"total_cost_usd":0.5}}"#)?;
    archives(&seed)?;
    seed("manifest", "task", b"schema_version = \"1.4\"\n[task]\nname = \"a/b\"\n[metadata.infranoise]\npids = 3\n[agent]\ntimeout_sec = 1.5\n[verifier]\ntimeout_sec = 2\n[environment]\ncpus = 0.5\nmemory = \"2G\"\nmemory_mb = 64\nstorage_mb = 10\nallow_internet = false\nenv = { A = \"${B:-c}\" }\n")?;
    seed("manifest", "policy", b"\xff\x00schema_version = \"1.4\"\n\xff\x01prefer = [\"a\"]\n[strategies.a]\nwhen = { memory_at_least = \"4x\" }\nsteps = [\"x\", { run = \"y\" }]\n\xff\x02{\"strategies\":{\"a\":{\"weight\":0.5,\"steps\":[\"x\"],\"fallback\":\"a\"}},\"pids\":3,\"cpu_quota\":0.2}")?;
    seed("dockerfile", "subset", b"ARG TAG=12\nFROM --platform=linux/amd64 debian:$TAG AS base\nENV A=1 B=\"two words\"\nWORKDIR /app\nRUN --mount=type=cache,target=/c set -eux; apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends curl \\\n  python3 && rm -rf /var/lib/apt/lists/*\nCOPY [\"a\", \"/b/\"]\nADD a/b.txt .\nRUN mkdir -p logs /data\nUSER root\nCMD [\"x\"]\n\xff\x01*.txt\n!a/b.txt\n# c\n")?;
    seed("rollouts", "kinds", b"{\"reward\":1}\n{\"reward\":0,\"exit_code\":137}\n{\"reward\":0,\"exit_code\":137,\"oom_kills\":1,\"oom_events\":1,\"oom_phase\":\"verify\",\"phases\":{\"agent_ms\":5,\"verify_ms\":5}}\n{\"reward\":0,\"exception\":{\"class\":\"RateLimitError\",\"message\":\"429\"}}\nno\n")?;
    sweep(&fixtures, &seed)
}

type Seed<'s> = &'s dyn Fn(&str, &str, &[u8]) -> io::Result<()>;

fn named(names: &[&'static str], ending: &str) -> &'static str {
    names.iter().find(|name| name.ends_with(ending)).copied().unwrap_or_else(|| panic!("no {ending}"))
}

fn pack(names: &[&str], files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let number = |name: &str| names.iter().position(|known| *known == name).expect("a known file") as u8;
    let part = |(name, content): &(&str, Vec<u8>)| {
        let plain = content.iter().copied().filter(|byte| *byte != MARK);
        [MARK, number(name)].into_iter().chain(plain).collect::<Vec<u8>>()
    };
    files.iter().flat_map(part).collect()
}

/// One trial of a table in every packing that Python's own modules know.
fn archives(seed: Seed<'_>) -> io::Result<()> {
    let script = "import io,sys,tarfile,zipfile\n\
        kind=sys.argv[1]; text=b'task,arm,repeat,pass,infra\\na,1x,0,1,\\nb,1x,0,0,network\\n'; out=io.BytesIO()\n\
        if kind=='zip':\n  z=zipfile.ZipFile(out,'w',zipfile.ZIP_DEFLATED); z.writestr('in/trials.csv',text); z.writestr(zipfile.ZipInfo('../out.csv'),text); z.close()\n\
        else:\n  t=tarfile.open(fileobj=out,mode='w:gz' if kind=='gz' else 'w'); i=tarfile.TarInfo('in/trials.csv'); i.size=len(text); t.addfile(i,io.BytesIO(text)); l=tarfile.TarInfo('l.csv'); l.type=tarfile.SYMTYPE; l.linkname='/etc/passwd'; t.addfile(l); t.close()\n\
        sys.stdout.buffer.write(out.getvalue())";
    for (which, kind) in [(0u8, "zip"), (1, "tar"), (2, "gz")] {
        let made = std::process::Command::new("python3").args(["-c", script, kind]).output()?;
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        seed("archive", kind, &[&[which], made.stdout.as_slice()].concat())?;
        if which == 1 {
            let mut zstd = std::process::Command::new("zstd")
                .arg("-c")
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()?;
            zstd.stdin.take().expect("a pipe").write_all(&made.stdout)?;
            seed("archive", "zst", &[&[3], zstd.wait_with_output()?.stdout.as_slice()].concat())?;
        }
    }
    Ok(())
}

/// A sweep of our own: plan and journal, whole and torn.
fn sweep(fixtures: &Path, seed: Seed<'_>) -> io::Result<()> {
    let root = folder();
    let imported = import(&[&fixtures.join("table")], SweepId::try_new("seed").ok(), 0).map_err(io::Error::other)?;
    let (sweep, plan) = SweepFolder::create(root.path(), &imported.plan).map_err(io::Error::other)?;
    let (_lock, mut writer, _) = sweep.write(&plan).map_err(io::Error::other)?;
    for record in imported.records.iter().take(2) {
        let event = Event::TrialEnded { at_ms: 1, record: Box::new(record.clone()) };
        writer.append(&event).map_err(io::Error::other)?;
    }
    let journal = fs::read(sweep.journal_path())?;
    // A seed says nothing of the machine that made it.
    let plan = fs::read_to_string(sweep.path().join("plan.json"))?.replace(&fixtures.display().to_string(), "fixtures").into_bytes();
    seed("store", "journal", &[&[MARK, 0], journal.as_slice()].concat())?;
    seed("store", "torn", &[&[MARK, 0], &journal[..journal.len() - 7]].concat())?;
    seed("store", "plan", &[&[MARK, 1], plan.as_slice()].concat())
}
