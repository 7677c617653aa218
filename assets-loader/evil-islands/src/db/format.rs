//! What tools need to know of databases: how they are recognized, and how many records they have.

use std::path::Path;

use super::conversion::CONVERSIONS;
use super::{Db, DbKind, FORMAT, Tolerance, may_be_one};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match};
use ironlands_assets_core::report::Report;

/// Files of other programs end so as well, those of debuggers for one: only what may be a database is taken for one.
const AMBIGUOUS_ENDINGS: [&str; 2] = [".pdb", ".sdb"];

impl Format for Db {
    /// Which tables there are is not in the file.
    type Context = DbKind;

    const NAME: &'static str = "db";
    const EXTENSIONS: &'static [&'static str] = &["idb", "ldb", "pdb", "sdb", "udb", "qdb", "db"];
    const KIND: FileKind = FileKind::Table;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        DbKind::from_file_name(name).map(|_| Match::Extension)
    }

    fn fits_len(name: &str, head: &[u8], file_len: u64) -> bool {
        let is_ambiguous = AMBIGUOUS_ENDINGS.iter().any(|it| name.ends_with(it));
        !is_ambiguous || may_be_one(head, file_len)
    }

    fn context(path: &Path) -> Result<DbKind, Finding> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        DbKind::from_file_name(&name).ok_or_else(|| {
            let message = "only its name would say which database it is";
            Finding::new(Severity::Error, FORMAT, message)
        })
    }

    fn contexts() -> Vec<DbKind> {
        DbKind::ALL.to_vec()
    }

    fn read(data: &[u8], kind: &DbKind) -> Result<Self, FormatError> {
        Self::read(data, *kind)
    }

    fn read_tolerant(data: &[u8], kind: &DbKind) -> Result<(Self, Vec<Finding>), FormatError> {
        let file = Self::read_with(data, *kind, Tolerance::all())?;
        // The check reports what was waived.
        let findings = file.check();
        Ok((file, findings))
    }

    ironlands_assets_core::inherent_methods!(write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("database", self.kind.name());
        for (table, schema) in self.tables.iter().zip(self.kind.tables()) {
            report.fact(schema.name, table.children().len());
        }
    }

    fn conversions() -> &'static [Conversion] {
        CONVERSIONS
    }
}
