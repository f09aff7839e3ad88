//! A table of words: the twin of each figure, and what Markdown, HTML and terminals are made from.

use serde::Serialize;

use crate::text::{clean, escape};

/// On which side a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The head of a column, unit included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its heading.
    pub head: String,
    /// Its side.
    pub align: Align,
}

/// Rows of plain text under headings. Cells hold text as it was given; each rendering cleans and escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. A heading that begins with `>` stands above numbers.
    #[must_use]
    pub fn new(heads: &[&str]) -> Self {
        let column = |head: &&str| match head.strip_prefix('>') {
            Some(head) => Column { head: head.to_owned(), align: Align::Right },
            None => Column { head: (*head).to_owned(), align: Align::Left },
        };
        Self { columns: heads.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().take(self.columns.len()).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Adds a column at the right.
    pub fn column(&mut self, head: &str, align: Align) {
        self.columns.push(Column { head: head.to_owned(), align });
    }

    /// As an HTML table; the first cell of each row is its heading.
    #[must_use]
    pub fn html(&self) -> String {
        let side = |column: &Column| if column.align == Align::Right { " class=n" } else { "" };
        let mut out = String::from("<table><thead><tr>");
        for column in &self.columns {
            out += &format!("<th scope=col{}>{}</th>", side(column), escape::markup(&column.head));
        }
        out += "</tr></thead><tbody>";
        for row in &self.rows {
            out += "<tr>";
            for (i, (cell, column)) in row.iter().zip(&self.columns).enumerate() {
                let text = cell_html(cell);
                if i == 0 {
                    out += &format!("<th scope=row>{text}</th>");
                } else {
                    out += &format!("<td{}>{text}</td>", side(column));
                }
            }
            out += "</tr>\n";
        }
        out + "</tbody></table>"
    }

    /// As a Markdown table.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(self.columns.iter().map(|column| escape::markdown(&column.head)).collect());
        let rule = |column: &Column| if column.align == Align::Right { "---:" } else { "---" };
        out += &line(self.columns.iter().map(|column| rule(column).to_owned()).collect());
        for row in &self.rows {
            out += &line(row.iter().map(|cell| escape::markdown(cell)).collect());
        }
        out
    }

    /// As aligned text, two spaces between columns, with lines as wide as they come out.
    #[must_use]
    pub fn text(&self) -> Vec<String> {
        self.painted(&|_, _, cell| cell.to_owned())
    }

    /// As aligned text whose cells are painted after their width is known; the painter gets the row (none for the heads) and the column.
    #[must_use]
    pub fn painted(&self, paint: &dyn Fn(Option<usize>, usize, &str) -> String) -> Vec<String> {
        let clean = |cell: &String| clean::line(cell);
        let heads: Vec<String> = self.columns.iter().map(|column| clean(&column.head)).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(clean).collect()).collect();
        let widest = |i: usize| {
            let cells = rows.iter().filter_map(|row| row.get(i)).chain(heads.get(i));
            cells.map(|cell| clean::columns(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(widest).collect();
        let lay = |at: Option<usize>, row: &[String]| {
            let mut line = String::new();
            let last = row.len().saturating_sub(1);
            for (i, ((cell, width), column)) in row.iter().zip(&widths).zip(&self.columns).enumerate() {
                let gap = " ".repeat(width.saturating_sub(clean::columns(cell)));
                let painted = paint(at, i, cell);
                line += &match column.align {
                    Align::Left if i == last => painted,
                    Align::Left => format!("{painted}{gap}  "),
                    Align::Right if i == last => format!("{gap}{painted}"),
                    Align::Right => format!("{gap}{painted}  "),
                };
            }
            line.trim_end().to_owned()
        };
        let body = rows.iter().enumerate().map(|(i, row)| lay(Some(i), row));
        std::iter::once(lay(None, &heads)).chain(body).collect()
    }
}

/// A cell for HTML: its interval, if it ends with one, stands back; a short one is not broken over lines.
fn cell_html(cell: &str) -> String {
    let (value, interval) = match cell.split_once(" [") {
        Some((value, interval)) if interval.ends_with(']') => (value, Some(interval)),
        _ => (cell, None),
    };
    let text = match interval {
        Some(interval) => {
            format!("{} <span class=ci>[{}</span>", escape::markup(value), escape::markup(interval))
        }
        None => escape::markup(cell),
    };
    if cell.contains(' ') && cell.chars().count() <= 30 {
        format!("<span class=k>{text}</span>")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["arm", ">trials"]);
        table.push(["1x".to_owned(), "70".to_owned()]);
        table.push(["a|b<c>".to_owned(), "1,234".to_owned()]);
        table
    }

    #[test]
    fn one_table_three_renderings() {
        assert_eq!(table().text(), ["arm     trials", "1x          70", "a|b<c>   1,234"]);
        assert!(table().markdown().contains("| a\\|b&lt;c&gt; | 1,234 |\n"));
        assert!(table().html().contains("<th scope=row>a|b&lt;c&gt;</th><td class=n>1,234</td>"));
    }
}
