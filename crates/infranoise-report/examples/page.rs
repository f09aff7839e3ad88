//! Writes the page and the figures of an analysis document (`infranoise analyze --json`) into a folder, to look at them.
#![expect(clippy::unwrap_used, reason = "a tool for developers: it may stop at the first error")]

use std::path::PathBuf;

use infranoise_report::figures::FIGURES;
use infranoise_report::svg::palette::Theme;

fn main() {
    let mut paths = std::env::args_os().skip(1);
    let (document, folder) = (paths.next().unwrap(), PathBuf::from(paths.next().unwrap()));
    let analysis = serde_json::from_slice(&std::fs::read(document).unwrap()).unwrap();
    std::fs::write(folder.join("page.html"), infranoise_report::html(&analysis)).unwrap();
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            std::fs::write(folder.join(format!("{}.{name}.svg", spec.id)), figure.file(theme)).unwrap();
        }
    }
}
