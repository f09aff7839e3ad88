//! Writes the page of an analysis document (`infranoise analyze --json`), to look at it in a browser.
#![expect(clippy::unwrap_used, reason = "a tool for developers: it may stop at the first error")]

fn main() {
    let mut paths = std::env::args_os().skip(1);
    let (document, page) = (paths.next().unwrap(), paths.next().unwrap());
    let analysis = serde_json::from_slice(&std::fs::read(document).unwrap()).unwrap();
    std::fs::write(page, infranoise_report::html(&analysis)).unwrap();
}
