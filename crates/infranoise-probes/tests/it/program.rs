//! The probe program: static, small, exact.

use std::fs;
use std::io::ErrorKind;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use infranoise_probes::{PROBE_PROGRAM, write_program};
use tempfile::TempDir;

use crate::bench::PROGRAM;

fn call(arguments: &str) -> Output {
    Command::new(PROGRAM).args(arguments.split(' ')).output().expect("it starts")
}

#[test]
fn it_is_small_and_needs_no_library() {
    assert!(PROBE_PROGRAM.len() < 4 << 20, "{} bytes", PROBE_PROGRAM.len());
    assert_eq!(&PROBE_PROGRAM[..4], b"\x7fELF");
    // Program headers of a 64-bit ELF file: 56 bytes each; kind 3 names a loader.
    let number = |at: usize, length: usize| {
        PROBE_PROGRAM[at..at + length].iter().rev().fold(0usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let (first, count) = (number(32, 8), number(56, 2));
    assert!((0..count).all(|n| number(first + n * 56, 4) != 3), "it asks for a loader");
}

#[test]
fn it_works_from_the_file_that_is_written() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("opt/probe");
    write_program(&path).expect("written");
    assert_eq!(fs::read(&path).expect("there"), PROBE_PROGRAM);
    // A child that another test starts at this moment holds the file open until its own program begins.
    let output = (0..100).find_map(|_| {
        match Command::new(&path).args(["eat", "--mib", "1", "--say", "full"]).output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                sleep(Duration::from_millis(10));
                None
            }
            other => Some(other),
        }
    });
    let output = output.expect("free at last").expect("it starts");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"full\n"[..]));
}

#[test]
fn exit_codes_are_as_documented() {
    let folder = TempDir::new().expect("a folder");
    let numbers = folder.path().join("numbers");
    fs::write(&numbers, "40\ntwo 2\n").expect("written");
    let file = folder.path().join("blob");
    for (arguments, code, output) in [
        ("eat --mib 3 --say full".to_owned(), 0, "full\n"),
        ("eat --mib 3 --steps 2 --pause-ms 1".to_owned(), 0, ""),
        ("workers --n 2 --mib 1 --say done".to_owned(), 0, "done\n"),
        ("fork --children 3".to_owned(), 0, ""),
        ("spin --cpu-ms 1".to_owned(), 0, ""),
        ("sleep --ms 1".to_owned(), 0, ""),
        (format!("cache --file {} --mib 2 --rounds 2 --say read", file.display()), 0, "read\n"),
        (format!("sum {}", numbers.display()), 0, "42\n"),
        ("eat --mib 900000000".to_owned(), 12, ""),
        ("sum /nonexistent".to_owned(), 13, ""),
        ("cache --file /nonexistent/x --mib 1".to_owned(), 13, ""),
        ("eat".to_owned(), 2, ""),
        ("eat --mib many".to_owned(), 2, ""),
        ("eat --mib 1 --what 2".to_owned(), 2, ""),
        ("eat --mib".to_owned(), 2, ""),
        ("dance".to_owned(), 2, ""),
    ] {
        let ended = call(&arguments);
        assert_eq!(ended.status.code(), Some(code), "{arguments}");
        assert_eq!(String::from_utf8_lossy(&ended.stdout), output, "{arguments}");
        assert_eq!(ended.stderr.is_empty(), code == 0, "{arguments}");
    }
    assert!(!file.exists(), "the file is gone");
}

#[test]
fn it_takes_as_much_memory_as_it_is_told() {
    for mib in [8u64, 40] {
        let mut child = Command::new(PROGRAM)
            .args(["eat", "--mib", &mib.to_string(), "--until-input-ends", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("an output")).read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the line");
        let kib: u64 = anonymous.trim().trim_end_matches(" kB").parse().expect("a number");
        drop(child.stdin.take());
        assert!(child.wait().expect("it ends").success());
        assert!((mib * 1024..mib * 1024 + 1024).contains(&kib), "{kib} KiB for {mib} MiB");
    }
}

#[test]
fn the_limit_is_what_the_environment_says() {
    for told in ["96", "none"] {
        let output =
            Command::new(PROGRAM).arg("limit").env("MEM_LIMIT_MB", told).output().expect("it starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), told);
    }
}
