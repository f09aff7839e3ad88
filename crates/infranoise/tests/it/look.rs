//! Looking on at a real sweep of another process: in a browser, in a terminal, in a pipe. The sweep does not notice.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::program::{Place, TASK, TEST, can_sweep, write_task};

/// A policy whose trials take long enough to be seen, and fill some memory.
const SEEN: &str = "[strategies.only]\nsteps = ['head -c 20000000 /dev/zero | tail -c 1 > /dev/null; sleep 2.5; echo 1 > /tmp/answer']\n";

/// A process that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(place: &Place) -> (Running, String) {
    let mut command = place.command(&["serve", "runs", "--bind", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("stderr")).lines();
    let line = lines.next().expect("a line").expect("reads");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    (Running(child), address.to_owned())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connects");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("asks");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// Reads events until a part has this in it.
fn until(events: &mut BufReader<TcpStream>, id: &str, has: &str) -> String {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(events.read_line(&mut line).expect("reads") > 0, "the stream ended before `{has}` in {id}");
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let part: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let html = part["html"].as_str().expect("a part");
        if part["id"] == id && html.contains(has) {
            return html.to_owned();
        }
    }
}

/// Files beneath a folder that a process holds open for writing, and whether it holds a lock on one.
fn writes(pid: u32, folder: &Path) -> Vec<String> {
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("descriptors");
    let names =
        descriptors.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut found = Vec::new();
    for name in names {
        let Ok(target) = std::fs::read_link(format!("/proc/{pid}/fd/{name}")) else { continue };
        let Ok(info) = std::fs::read_to_string(format!("/proc/{pid}/fdinfo/{name}")) else { continue };
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or("0").trim();
        let writable = u32::from_str_radix(flags, 8).is_ok_and(|flags| flags & 3 != 0);
        if target.starts_with(folder) && (writable || info.contains("lock:")) {
            found.push(format!("{} {flags}", target.display()));
        }
    }
    found
}

/// Every file of a folder with its size and time.
fn state(folder: &Path) -> BTreeMap<PathBuf, (u64, std::time::SystemTime)> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = std::fs::symlink_metadata(&path).expect("metadata");
            all.insert(path.clone(), (metadata.len(), metadata.modified().expect("a time")));
            if metadata.is_dir() {
                open.push(path);
            }
        }
    }
    all
}

fn sweep_args() -> [&'static str; 13] {
    [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x,2x",
        "-k",
        "2",
        "--name",
        "looked-at",
        "-n",
        "2",
    ]
}

#[test]
fn a_sweep_of_another_process_is_followed_and_never_touched() {
    if !can_sweep("looking on") {
        return;
    }
    let place = Place::new();
    for name in ["seen-a", "seen-b"] {
        write_task(&place.path().join("tasks").join(name), TASK, TEST, SEEN);
    }
    let sweep = Running(place.start(&sweep_args()));
    let folder = place.path().join("runs/looked-at");
    while !folder.join("journal.jsonl").exists() {
        std::thread::yield_now();
    }
    let (server, address) = serve(&place);
    let mut stream = TcpStream::connect(&address).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
    write!(stream, "GET /r/looked-at/events HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("asks");
    let mut events = BufReader::new(stream);
    // The samples of a trial that still runs, as its engine writes them.
    let card = until(&mut events, "running", "class=\"mem\"");
    assert!(card.contains("agent") && card.contains(" 64 MiB"), "{card}");
    assert_eq!(writes(server.0.id(), place.path()), Vec::<String>::new(), "nothing is open for writing");
    assert!(get(&address, "/r/looked-at/").contains("Running now"));
    until(&mut events, "state", "8 of 8");
    let figure = until(&mut events, "fig-headroom", "<svg");
    assert!(figure.contains("Figure"), "{figure}");
    drop(sweep);
    let before = state(&folder);
    let page = get(&address, "/r/looked-at/");
    for part in ["200 OK", "8 of 8", "The numbers of this figure"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(get(&address, "/r/looked-at/t/seen-a__1x__0").contains("Its record"));
    assert_eq!(state(&folder), before, "no file was changed");
    drop(server);

    let once = place.run(&["watch", "runs", "--once"]).ok();
    assert!(once.out().contains("8 done") && once.out().contains("looked-at"), "{}", once.out());
    let lines = place.run(&["watch", "runs/looked-at"]).ok();
    assert_eq!(lines.out().lines().count(), 1, "{}", lines.out());
    assert_eq!(state(&folder), before, "no file was changed");
    in_a_terminal(&place);
}

/// The screen comes and goes: by a key, and by a signal.
fn in_a_terminal(place: &Place) {
    let program = env!("CARGO_BIN_EXE_infranoise");
    let ends: [(&str, &str); 2] = [("q", "exec"), ("", "timeout --foreground -s TERM 2")];
    for (key, how) in ends {
        let inside = format!("stty rows 24 cols 80; {how} {program} watch runs/looked-at");
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &inside, "/dev/null"]).current_dir(place.path()).env("TERM", "xterm");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            println!("SKIPPED: the screen of watch: there is no `script` to make a terminal with");
            return;
        };
        let mut output = child.stdout.take().expect("stdout");
        let mut seen = Vec::new();
        let mut chunk = [0; 4096];
        while !String::from_utf8_lossy(&seen).contains("quit") {
            let n = output.read(&mut chunk).expect("reads");
            assert!(n > 0, "the screen appears: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&chunk[..n]);
        }
        let mut input = child.stdin.take().expect("stdin");
        input.write_all(key.as_bytes()).expect("presses");
        output.read_to_end(&mut seen).expect("reads");
        let text = String::from_utf8_lossy(&seen).into_owned();
        let (enter, leave) = (text.find("\u{1b}[?1049h"), text.rfind("\u{1b}[?1049l"));
        assert!(enter.is_some() && leave > enter, "the terminal is given back after `{key}`: {text:?}");
        child.wait().expect("ends");
    }
}

#[test]
fn looking_at_nothing_says_so() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("runs")).expect("a folder");
    for args in [&["watch"][..], &["watch", "runs", "--once"], &["serve"], &["serve", "nowhere"]] {
        let done = place.run(args);
        assert_eq!(done.code(), 5, "{args:?}: {}", done.err());
        assert!(done.err().contains("no sweep"), "{args:?}: {}", done.err());
    }
}
