//! The columns as documentation: `docs/exports.md` holds exactly this.

use super::columns::GROUPS;

/// A Markdown table for each group of columns.
#[must_use]
pub fn column_reference() -> String {
    let mut text = String::new();
    for group in GROUPS {
        text.push_str(&format!("### {}\n\n| column | type | what it says |\n|---|---|---|\n", group.title));
        for column in group.columns {
            text.push_str(&format!("| `{}` | {} | {} |\n", column.name, column.kind, column.says));
        }
        text.push('\n');
    }
    text
}
