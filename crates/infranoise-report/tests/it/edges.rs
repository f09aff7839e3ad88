//! Hostile and odd documents break nothing.

use infranoise_report::figures::FIGURES;
use infranoise_report::svg::palette::Theme;
use infranoise_report::{SCRIPT, SCRIPT_SHA256, html, markdown, terminal, trial};

use crate::{fixture, record};

/// Whatever a terminal, a page or a drawing would act upon.
fn has_control(text: &str) -> Option<char> {
    let bidi =
        |c: char| matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().find(|c| (c.is_control() && *c != '\n') || bidi(*c))
}

#[test]
fn hostile_text_reaches_no_rendering() {
    let analysis = fixture::hostile();
    let mut renderings = vec![
        ("terminal", terminal(&analysis, 100, false)),
        ("markdown", markdown(&analysis)),
        ("html", html(&analysis)),
        ("trial", trial(&record::hostile(), 100, false)),
    ];
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        renderings.push((spec.id, figure.file(Theme::Dark)));
    }
    for (name, text) in renderings {
        assert_eq!(has_control(&text), None, "{name}");
        let markup = !["terminal", "trial"].contains(&name);
        assert!(!(markup && text.contains("<script>alert")), "{name}");
        assert!(!(markup && text.contains("<img")), "{name}");
        assert!(text.len() < 400_000, "{name} has {} bytes", text.len());
    }
}

#[test]
fn a_figure_without_data_says_what_would_provide_it() {
    let analysis = fixture::no_trials();
    let missing: Vec<_> =
        FIGURES.iter().map(|spec| (spec.draw)(&analysis)).filter(|figure| figure.missing).collect();
    let ids: Vec<_> = missing.iter().map(|figure| figure.id).collect();
    assert_eq!(
        ids,
        [
            "headroom",
            "differences",
            "causes",
            "peaks",
            "decomposition",
            "turning-point",
            "flips",
            "strategies",
            "timeline"
        ]
    );
    for figure in missing {
        assert!(figure.caption.starts_with("Nothing to draw: "), "{}", figure.id);
    }
}

/// Base64 as in RFC 4648, since a policy wants the hash so.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0u8; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]);
            out.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[test]
fn the_policy_allows_this_script_and_no_other() {
    use sha2::{Digest, Sha256};
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    assert_eq!(SCRIPT_SHA256, hash, "write this hash into src/html/script.sha256");
    assert!(SCRIPT.len() < 15_000, "the script has {} bytes", SCRIPT.len());
}

#[test]
fn a_page_asks_for_nothing() {
    let page = html(&fixture::six_arms());
    let asks =
        ["http:", "https:", "src=", "@import", "url(//", "fetch(", "XMLHttpRequest", "<iframe", "<object"];
    // The name space of SVG is a name, not an address that is fetched.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for ask in asks {
        assert!(!page.contains(ask), "{ask}");
    }
    assert_eq!(
        page.matches("href=").count(),
        page.matches("href=\"#").count() + 1,
        "links inside the page, and the empty icon"
    );
}

#[test]
fn a_large_sweep_stays_small() {
    let page = html(&fixture::world(89, 6, 10));
    eprintln!("the page of 5,340 trials has {} bytes", page.len());
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}

#[test]
fn strange_numbers_break_nothing() {
    let analysis = fixture::strange();
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        for odd in ["NaN", "inf\"", "inf "] {
            assert!(!figure.svg.contains(odd), "{}: {odd}", spec.id);
        }
        assert!(figure.svg.len() < 100_000, "{} has {} bytes", spec.id, figure.svg.len());
    }
    let _ = (html(&analysis), markdown(&analysis), terminal(&analysis, 0, true));
}
