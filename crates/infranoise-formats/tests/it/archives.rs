//! Archives of result trees are read like the trees, and nothing of them leaves their place.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use infranoise_formats::results::{ImportError, Imported, import};
use tempfile::TempDir;

use crate::fixtures::fixture;
use crate::reference::{imported, words};

/// Packs a fixture into a tar archive through a writer.
fn tar(inner: &str, out: impl Write) {
    let mut builder = tar::Builder::new(out);
    builder.follow_symlinks(false);
    builder.append_dir_all("tree", fixture(inner)).expect("packed");
    builder.into_inner().and_then(|mut out| out.flush()).expect("written");
}

fn place(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}

fn verdicts(imported: &Imported) -> Vec<String> {
    let mut all: Vec<String> = imported
        .records
        .iter()
        .map(|record| format!("{} {}", record.facts.key.task, words(record)))
        .collect();
    all.sort();
    all
}

#[test]
fn packed_trees_give_the_same_trials() {
    let plain = imported(&fixture("harbor"));
    let (_folder, path) = place("night.tar");
    tar("harbor", File::create(&path).expect("made"));
    assert_eq!(verdicts(&imported(&path)), verdicts(&plain));
    let (_folder, path) = place("night.tar.gz");
    tar(
        "harbor",
        flate2::write::GzEncoder::new(File::create(&path).expect("made"), flate2::Compression::fast()),
    );
    assert_eq!(verdicts(&imported(&path)), verdicts(&plain));
    let (_folder, path) = place("night.tar.zst");
    let mut whole = Vec::new();
    tar("harbor", &mut whole);
    let packed =
        ruzstd::encoding::compress_to_vec(whole.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
    fs::write(&path, packed).expect("written");
    let read = imported(&path);
    assert_eq!(verdicts(&read), verdicts(&plain));
    let sources = read.plan.imported.expect("imported").sources;
    assert!(sources[0].ends_with("night.tar.zst"), "{sources:?}");
}

/// A log as large as agents write them: most of it lies between its two ends.
#[test]
fn a_large_log_tells_the_same_packed_as_in_its_folder() {
    let (folder, path) = place("runs.tar.gz");
    let tree = folder.path().join("tree");
    let log = "team/run-a/knit/knit.1-of-1.run-a/sessions/tests.log";
    for (name, content) in crate::garbage::files(&fixture("tb1")) {
        fs::create_dir_all(tree.join(&name).parent().expect("a parent")).expect("made");
        fs::write(tree.join(&name), content).expect("written");
    }
    let small = imported(&tree);
    let end = fs::read(tree.join(log)).expect("read");
    let mut large = b"make: Nothing to be done\n".repeat(1_000_000);
    large.extend_from_slice(&end);
    fs::write(tree.join(log), large).expect("written");
    let plain = imported(&tree);
    assert_eq!(verdicts(&plain), verdicts(&small), "only the ends are looked at");
    let packed =
        flate2::write::GzEncoder::new(File::create(&path).expect("made"), flate2::Compression::fast());
    let mut builder = tar::Builder::new(packed);
    builder.append_dir_all("tree", &tree).expect("packed");
    builder.into_inner().and_then(flate2::write::GzEncoder::finish).expect("written");
    let read = imported(&path);
    assert_eq!(verdicts(&read), verdicts(&plain));
    assert_eq!(read.losses.total, plain.losses.total, "{:?}", read.losses.kept);
}

#[test]
fn members_that_lead_outside_are_left_out() {
    let (folder, path) = place("evil.tar");
    let mut builder = tar::Builder::new(File::create(&path).expect("made"));
    let mut add = |name: &str, kind: tar::EntryType, link: &str| {
        let content = b"task,pass\na,true\n";
        let mut header = tar::Header::new_old();
        header.set_entry_type(kind);
        header.set_size(if kind.is_file() { content.len() as u64 } else { 0 });
        header.set_mode(0o644);
        // The checked setters refuse such names, which is why they are written by hand.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_cksum();
        builder.append(&header, if kind.is_file() { &content[..] } else { &[][..] }).expect("added");
    };
    add("../escaped.csv", tar::EntryType::Regular, "");
    add("/tmp/infranoise-escaped.csv", tar::EntryType::Regular, "");
    add("link", tar::EntryType::Symlink, "/etc");
    add("link/passwd.csv", tar::EntryType::Regular, "");
    add("good.csv", tar::EntryType::Regular, "");
    add("good.csv", tar::EntryType::Regular, "");
    builder.finish().expect("finished");
    let read = imported(&path);
    assert_eq!(read.records.len(), 2, "good.csv, and the one below what would have been a link");
    assert_eq!(read.losses.total, 4, "{:#?}", read.losses.kept);
    assert!(
        !folder.path().join("escaped.csv").exists() && !Path::new("/tmp/infranoise-escaped.csv").exists()
    );
}

#[test]
fn torn_and_foreign_archives_are_errors_or_parts() {
    let mut whole = Vec::new();
    tar("tb1", &mut whole);
    let (_folder, path) = place("torn.tar");
    for cut in (0..whole.len()).step_by(1 + whole.len() / 20) {
        fs::write(&path, &whole[..cut]).expect("written");
        let _ = import(&[&path], None, 0);
    }
    for name in ["x.zip", "x.tar.gz", "x.tar.zst"] {
        let (_folder, path) = place(name);
        fs::write(&path, b"no archive at all").expect("written");
        let error = import(&[&path], None, 0).expect_err("no archive");
        assert!(
            matches!(error, ImportError::Unreadable { .. } | ImportError::NothingRecognised { .. }),
            "{error}"
        );
    }
}
