//! What a person may choose about an export.

/// Choices; the default loses nothing and drops no ceiling kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// CSV: text that a spreadsheet would take for a formula gets an apostrophe in front. The file then no longer reads back the same.
    pub defuse_formulas: bool,
    /// RL mask: ceiling kills are dropped too, as faults are.
    pub drop_ceiling: bool,
}
