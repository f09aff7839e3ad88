//! What viewers share: the parts of a page at one moment, each with the number of the moment in which it changed.

use std::sync::Arc;

use axum::body::Bytes;
use infranoise_analysis::Analysis;
use serde_json::json;

/// One part of a page.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its name in the page.
    pub(super) id: String,
    /// Its content, made harmless.
    pub(super) html: Arc<str>,
    /// The moment in which it changed.
    pub(super) since: u64,
    /// The event that brings it to a viewer.
    pub(super) event: Bytes,
}

/// Everything that a page shows.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// Which server it is of: numbers of another one mean nothing.
    pub(super) epoch: u64,
    /// Its number.
    pub(super) number: u64,
    /// The heading of the window.
    pub(super) title: String,
    /// The parts, in the order of the page.
    pub(super) parts: Vec<Part>,
    /// The last analysis.
    pub(super) analysis: Option<Arc<Analysis>>,
}

impl Moment {
    /// How a viewer says what it has seen.
    pub(super) fn mark(&self) -> String {
        format!("{}-{}", self.epoch, self.number)
    }

    /// The number that a mark stands for here; 0 if it is of another server.
    pub(super) fn seen(&self, mark: &str) -> u64 {
        let (epoch, number) = mark.split_once('-').unwrap_or_default();
        let known = epoch.parse() == Ok(self.epoch);
        number.parse().ok().filter(|_| known).unwrap_or(0)
    }

    /// The parts that changed after a moment.
    pub(super) fn after(&self, seen: u64) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.since > seen)
    }

    /// The content of a part.
    pub(super) fn part(&self, id: &str) -> &str {
        self.parts.iter().find(|part| part.id == id).map_or("", |part| &part.html)
    }
}

/// Makes moments: keeps the parts of the last one, so that what did not change is not sent again.
#[derive(Debug)]
pub(super) struct Maker {
    epoch: u64,
    number: u64,
    parts: Vec<Part>,
}

impl Maker {
    pub(super) fn new(epoch: u64) -> Self {
        Self { epoch, number: 0, parts: Vec::new() }
    }

    /// Begins a moment.
    pub(super) fn begin(&mut self) {
        self.number += 1;
    }

    /// Sets a part.
    pub(super) fn set(&mut self, id: &str, html: String) {
        let known = self.parts.iter_mut().find(|part| part.id == id);
        if known.as_ref().is_some_and(|part| *part.html == *html) {
            return;
        }
        let data = json!({ "id": id, "html": html }).to_string();
        let event = Bytes::from(format!("event: part\nid: {}-{}\ndata: {data}\n\n", self.epoch, self.number));
        let part = Part { id: id.to_owned(), html: html.into(), since: self.number, event };
        match known {
            Some(known) => *known = part,
            None => self.parts.push(part),
        }
    }

    /// The moment; nothing if no part changed in it.
    pub(super) fn moment(&self, title: String, analysis: Option<Arc<Analysis>>) -> Option<Moment> {
        let changed = self.parts.iter().any(|part| part.since == self.number);
        changed.then(|| Moment {
            epoch: self.epoch,
            number: self.number,
            title,
            parts: self.parts.clone(),
            analysis,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_sent_again_and_marks_of_another_server_count_for_nothing() {
        let mut maker = Maker::new(7);
        maker.begin();
        maker.set("a", "1".to_owned());
        maker.set("b", "</script>\u{2028}\n\r".to_owned());
        let first = maker.moment(String::new(), None).expect("new");
        assert_eq!(first.after(0).count(), 2);
        maker.begin();
        maker.set("a", "1".to_owned());
        maker.set("b", "2".to_owned());
        let second = maker.moment(String::new(), None).expect("new");
        let sent: Vec<&str> = second.after(second.seen(&first.mark())).map(|part| part.id.as_str()).collect();
        assert_eq!(sent, ["b"]);
        for (mark, seen) in [("7-2", 2), ("8-2", 0), ("", 0), ("7-x", 0), ("7", 0)] {
            assert_eq!(second.seen(mark), seen, "{mark}");
        }
        maker.begin();
        maker.set("a", "1".to_owned());
        assert!(maker.moment(String::new(), None).is_none(), "nothing changed");
        let event = String::from_utf8(first.parts[1].event.to_vec()).expect("text");
        assert_eq!(event.matches('\n').count(), 4, "one line of data, whatever is in it: {event}");
        assert!(!event.contains('\r'));
    }
}
