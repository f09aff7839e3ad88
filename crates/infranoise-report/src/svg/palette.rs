//! Two palettes. A page names colours by CSS variables that follow the reader's theme; a file gets them as literals, since not every
//! renderer of SVG knows variables.

/// A colour in both themes.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

/// Which theme a file is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// Every colour. Outcomes are chosen to differ for the three common kinds of colour blindness and in brightness.
const COLOURS: [Colour; 17] = [
    colour("paper", "#ffffff", "#15181c"),
    colour("panel", "#f5f5f2", "#1d2126"),
    colour("ink", "#1c2127", "#e7e9ec"),
    colour("muted", "#59626c", "#a3acb6"),
    colour("rule", "#dcdfe2", "#363c44"),
    colour("grid", "#e9ebed", "#2a2f36"),
    colour("band", "#eef1f4", "#232932"),
    colour("link", "#0b5cad", "#82b8f2"),
    colour("pass", "#2a6fb0", "#5a9bdc"),
    colour("fail", "#c3cad1", "#59626c"),
    colour("fail-line", "#7d8791", "#9aa4ae"),
    colour("ceiling", "#cf4f12", "#f0803c"),
    colour("fault", "#7c3a8c", "#c58ad6"),
    colour("undetermined", "#e0ac2b", "#d9ac3f"),
    colour("notstarted", "#ffffff", "#15181c"),
    colour("on-strong", "#ffffff", "#0e1114"),
    colour("focus", "#d97706", "#fbbf24"),
];

/// The classes of figures, in terms of the variables.
pub const FIGURE_CSS: &str = include_str!("figure.css");

fn variables(theme: Theme) -> String {
    let value = |colour: &Colour| match theme {
        Theme::Light => colour.light,
        Theme::Dark => colour.dark,
    };
    COLOURS.iter().map(|colour| format!("--{}:{};", colour.name, value(colour))).collect()
}

/// The variables for a page: light, dark where the reader prefers it, light on paper.
#[must_use]
pub fn page_variables() -> String {
    let (light, dark) = (variables(Theme::Light), variables(Theme::Dark));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n\
         @media print{{:root{{color-scheme:light;{light}}}}}\n"
    )
}

/// The variables for a page that is always light.
#[must_use]
pub fn light_variables() -> String {
    format!(":root{{color-scheme:light;{}}}\n", variables(Theme::Light))
}

/// A figure as a file of its own: literal colours, a background, a font.
#[must_use]
pub fn standalone(svg: &str, theme: Theme) -> String {
    let mut css = FIGURE_CSS.to_owned();
    for colour in &COLOURS {
        let value = match theme {
            Theme::Light => colour.light,
            Theme::Dark => colour.dark,
        };
        css = css.replace(&format!("var(--{})", colour.name), value);
    }
    let style = format!("<style>svg.figure{{font-family:system-ui,sans-serif}}\n{css}</style>");
    match svg.split_once(">\n") {
        Some((open, rest)) => {
            format!("{open}>\n{style}\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{rest}")
        }
        None => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_in_the_figure_classes_is_a_colour_and_none_is_left_in_a_file() {
        for theme in [Theme::Light, Theme::Dark] {
            let file = standalone("<svg>\n</svg>", theme);
            assert!(!file.contains("var("), "{file}");
        }
    }

    /// Brightness as WCAG 2 defines it.
    fn brightness(hex: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn words_can_be_read_and_marks_can_be_seen() {
        let find = |name: &str| COLOURS.iter().find(|c| c.name == name).unwrap();
        let ratio = |a: &str, b: &str| {
            let (a, b) = (brightness(a), brightness(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        // WCAG 2: 4.5 for text, 3 for graphics.
        let cases = [
            ("ink", 7.0),
            ("muted", 4.5),
            ("link", 4.5),
            ("pass", 3.0),
            ("fail-line", 3.0),
            ("ceiling", 3.0),
            ("fault", 3.0),
        ];
        for (name, least) in cases {
            for ground in ["paper", "panel"] {
                let light = ratio(find(name).light, find(ground).light);
                let dark = ratio(find(name).dark, find(ground).dark);
                assert!(
                    light >= least && dark >= least,
                    "{name} on {ground}: {light:.1} light, {dark:.1} dark"
                );
            }
        }
    }
}
