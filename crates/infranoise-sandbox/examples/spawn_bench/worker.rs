//! Each contender lives in a process of its own: a bare clone costs by the size of its parent, and wants a single thread.
//!
//! A worker reads how often it should do its thing, does that, and answers how long it took; at the end of input it ends.

use std::time::Instant;

use crate::ours::Ours;
use crate::{bare, crun, docker};

/// Does the thing of one contender so often as the lines of stdin say, each time in so many threads if it is ours.
pub(crate) fn serve(contender: &str, threads: u32) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = format!("bare-{}", std::process::id());
    match contender {
        "bare" => answer((), |()| bare::once(folder, &name).unwrap(), |()| ()),
        "bare exec" => {
            let standing = bare::Bare::start(folder, &name, &[c"/bin/sleep", c"1000"]).unwrap();
            // Until it sleeps, its root is not there.
            std::thread::sleep(std::time::Duration::from_millis(300));
            answer(standing, |it| it.exec(&[c"/bin/true"]).unwrap(), |it| it.kill().unwrap());
        }
        "infranoise" => threaded(Ours::start(folder), threads, |ours, _| _ = ours.once(), drop),
        "infranoise, storage" => {
            threaded(Ours::start(folder).with_storage(10 << 30), threads, |ours, _| _ = ours.once(), drop);
        }
        "infranoise, layer removed" => answer(Ours::start(folder), Ours::once_and_settle, drop),
        "infranoise exec" => {
            let ours = Ours::start(folder);
            let standing: Vec<_> = (0..threads).map(|_| ours.create()).collect();
            threaded(
                (ours, standing),
                threads,
                |(ours, standing), thread| ours.exec(&standing[thread as usize]),
                |(_, standing)| standing.into_iter().for_each(|sandbox| drop(sandbox.finalize().unwrap())),
            );
        }
        "crun" => {
            let bundle = crun::Bundle::prepare(folder, &["/bin/true"]).unwrap();
            answer(bundle, |bundle| bundle.once().unwrap(), drop);
        }
        "crun exec" => {
            let bundle = crun::Bundle::prepare(folder, &["/bin/sleep", "1000"]).unwrap();
            bundle.start().unwrap();
            answer(bundle, crun::Bundle::exec, |bundle| bundle.kill().unwrap());
        }
        "docker" => answer((), |()| docker::once(), |()| ()),
        "docker exec" => {
            docker::start();
            answer((), |()| docker::exec(), |()| docker::kill());
        }
        other => panic!("no contender `{other}`"),
    }
}

/// Answers for a contender with a single thread.
fn answer<State: Sync>(state: State, once: impl Fn(&State) + Sync, finish: impl FnOnce(State)) {
    threaded(state, 1, |state, _| once(state), finish);
}

/// Answers for a contender that does its thing so often in each of its threads.
fn threaded<State: Sync>(
    state: State,
    threads: u32,
    once: impl Fn(&State, u32) + Sync,
    finish: impl FnOnce(State),
) {
    (0..threads).for_each(|thread| once(&state, thread));
    println!("ready");
    for line in std::io::stdin().lines() {
        let times: u32 = line.unwrap().parse().unwrap();
        let several = |thread| (0..times).for_each(|_| once(&state, thread));
        let start = Instant::now();
        std::thread::scope(|scope| {
            // A single one stays in this thread: the bare clone wants no other.
            (1..threads).for_each(|thread| drop(scope.spawn(move || several(thread))));
            several(0);
        });
        println!("{}", start.elapsed().as_nanos());
    }
    finish(state);
}
