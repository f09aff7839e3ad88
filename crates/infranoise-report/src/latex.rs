//! Tables for papers: booktabs, with nothing in a cell that TeX would act upon.

use infranoise_analysis::Analysis;

use crate::table::{Align, Table};
use crate::text::{clean, words};
use crate::{find, tables};

/// A text in which nothing is a command; signs that plain LaTeX fonts lack become mathematics or words.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in clean::line(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '"' => out.push_str("''"),
            '\u{2212}' => out.push_str("$-$"),
            '±' => out.push_str("$\\pm$"),
            '≥' => out.push_str("$\\ge$"),
            '≤' => out.push_str("$\\le$"),
            '≠' => out.push_str("$\\ne$"),
            '≈' => out.push_str("$\\approx$"),
            '∞' => out.push_str("$\\infty$"),
            '→' => out.push_str("$\\to$"),
            '×' => out.push_str("$\\times$"),
            '…' => out.push_str("\\dots{}"),
            '\u{2007}' | '\u{2060}' => {}
            '·' | '●' | '○' | '▲' | '✕' | '✓' => out.push_str("$\\cdot$"),
            c => out.push(c),
        }
    }
    out
}

/// One table in an environment of its own, for `\\usepackage{booktabs}`.
#[must_use]
pub fn latex_table(table: &Table, caption: &str, label: &str) -> String {
    let columns: String =
        table.columns.iter().map(|column| if column.align == Align::Left { 'l' } else { 'r' }).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.map(escape).collect();
        format!("    {} \\\\\n", cells.join(" & "))
    };
    let head = line(&mut table.columns.iter().map(|column| column.head.as_str()));
    let rows: String = table.rows.iter().map(|row| line(&mut row.iter().map(String::as_str))).collect();
    format!(
        "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{tab:{label}}}\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule\n{head}    \
         \\midrule\n{rows}    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n",
        escape(caption)
    )
}

/// The tables of arms and comparisons.
#[must_use]
pub fn latex(analysis: &Analysis) -> String {
    let notes = find::denominators(analysis).join(" ");
    let mut out = format!(
        "% {}\n% {}\n% needs: \\usepackage{{booktabs}}\n\n",
        clean::line(&analysis.made_by),
        clean::short(&words::sentence(&analysis.answer.headline), 400)
    );
    out += &latex_table(&tables::outcomes(analysis), "How planned trials ended.", "outcomes");
    let rates = format!("Error rates and scores with {} % intervals. {notes}", find::level(analysis));
    out += &format!("\n{}", latex_table(&tables::rates(analysis), &rates, "rates"));
    if !analysis.comparisons.is_empty() {
        for ((heading, side), label) in tables::SIDES.into_iter().zip(["these-tasks", "tasks-like-these"]) {
            let caption = format!("Differences in score. {heading}");
            out += &format!("\n{}", latex_table(&tables::scores(analysis, side), &caption, label));
        }
        out += &format!(
            "\n{}",
            latex_table(&tables::kills(analysis), "Differences in infra errors, on these tasks.", "infra")
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_cell_is_a_command() {
        assert_eq!(
            escape("50 % of \\input{x} & _^~#$"),
            "50 \\% of \\textbackslash{}input\\{x\\} \\& \\_\\textasciicircum{}\\textasciitilde{}\\#\\$"
        );
        assert_eq!(escape("+1.4 [\u{2212}3.0, ∞]"), "+1.4 [$-$3.0, $\\infty$]");
    }
}
