//! The only place that opens the database: questions, rules, the undo index; and the audit log.
