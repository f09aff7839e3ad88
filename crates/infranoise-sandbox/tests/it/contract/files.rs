//! Files: what goes in comes out, and nothing else.

use std::fs;
use std::path::Path;

use infranoise_sandbox::contract::{Overlay, OverlayKind};

use super::Came;
use super::ground::{Ground, real};

pub(super) fn bytes_out_are_bytes_in(ground: &Ground) -> Came {
    let bytes: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    let host = ground.path("bytes");
    fs::create_dir_all(host.join("deeper/empty folder")).expect("a folder");
    for (name, content) in
        [("deeper/file", bytes.as_slice()), ("empty", b""), ("a name\nwith \u{e9}", b"\0\xff")]
    {
        fs::write(host.join(name), content).expect("write");
    }
    let mut laid = ground.spec();
    laid.overlays.push(Overlay { from: host.clone(), to: "/laid".into(), how: OverlayKind::Copy });
    let sandbox = ground.create(&laid);
    sandbox.put(&host, Path::new("/a/new/place")).expect("put");
    for inside in ["/laid", "/a/new/place"] {
        let back = ground.path(&inside.replace('/', "-"));
        let fetched = sandbox.get(Path::new(inside), &back).expect("get");
        assert_eq!((fetched.files, fetched.bytes), (3, bytes.len() as u64 + 2));
        assert_eq!(fs::read(back.join("deeper/file")).expect("read"), bytes);
        assert_eq!(fs::read(back.join("empty")).expect("read"), b"");
        assert_eq!(fs::read(back.join("a name\nwith \u{e9}")).expect("read"), b"\0\xff");
        assert!(back.join("deeper/empty folder").is_dir());
    }
    Came::Holds
}

pub(super) fn a_missing_file_is_none(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    assert_eq!(sandbox.read_small(Path::new("/logs/verifier/reward.txt"), 100).expect("read"), None);
    assert!(sandbox.get(Path::new("/nowhere"), &ground.path("x")).is_err());
    Came::Holds
}

pub(super) fn large_files_are_not_read(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let host = ground.path("host");
    fs::write(&host, [7; 1000]).expect("write");
    let inside = Path::new("/inside");
    sandbox.put(&host, inside).expect("put");
    assert_eq!(sandbox.read_small(inside, 1000).expect("read").as_deref(), Some(&[7; 1000][..]));
    assert!(sandbox.read_small(inside, 999).is_err());
    Came::Holds
}

pub(super) fn sandboxes_are_apart(ground: &Ground) -> Came {
    real!(ground);
    let (one, other) = (ground.sandbox(), ground.sandbox());
    ground.say(
        &one,
        "echo secret >/root/note; echo secret >/usr/bin/note; setsid sleep 987654 >/dev/null 2>&1 &",
    );
    let look = "cat /root/note /usr/bin/note 2>/dev/null; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o '98765[4]'";
    assert_eq!(ground.say(&one, look).1, "secret\nsecret\n987654\n");
    assert_eq!(ground.say(&other, look).1, "");
    Came::Holds
}
