//! Tables: rows of cells collected while the page is written, then laid out as one block.

use super::Style;

/// Cells of a row that are shown.
const COLUMNS: usize = 100;

/// A table of which rows are still coming.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Vec<String>>,
    /// Whether the first row names the columns.
    headed: bool,
}

impl Rows {
    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell; its text stands on one line.
    pub(super) fn cell(&mut self, text: &str, is_head: bool) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        self.headed |= is_head && self.rows.len() == 1;
        if let Some(row) = self.rows.last_mut().filter(|row| row.len() < COLUMNS) {
            row.push(text.trim().to_owned());
        }
    }

    /// The lines of the table, or nothing when it holds no text.
    pub(super) fn laid_out(mut self, style: Style) -> Vec<String> {
        self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if style == Style::Plain || columns < 2 {
            let between = if columns < 2 { " " } else { "\t" };
            return self.rows.iter().map(|row| row.join(between).trim().to_owned()).collect();
        }
        let mut lines = Vec::with_capacity(self.rows.len() + 2);
        if !self.headed {
            // Markdown has no table without a head.
            lines.push(format!("|{}", "  |".repeat(columns)));
            lines.push(format!("|{}", " --- |".repeat(columns)));
        }
        for (nth, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            lines.push(format!("| {} |", cells.join(" | ")));
            if nth == 0 && self.headed {
                lines.push(format!("|{}", " --- |".repeat(columns)));
            }
        }
        lines
    }
}
