//! What the checks found. Failures break the build; warnings are for the next reader of the file.

/// Findings of one run, in the order they were made.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub failures: Vec<String>,
    pub warnings: Vec<String>,
}

impl Report {
    pub fn fail(&mut self, text: impl Into<String>) {
        self.failures.push(text.into());
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    pub fn is_clean(&self) -> bool {
        self.failures.is_empty()
    }

    pub fn print(&self) {
        for warning in &self.warnings {
            eprintln!("warning: {warning}");
        }
        for failure in &self.failures {
            eprintln!("error: {failure}");
        }
        if !self.is_clean() {
            eprintln!("{} house rules broken", self.failures.len());
        }
    }
}
