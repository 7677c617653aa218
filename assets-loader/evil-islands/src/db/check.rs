//! What does not fit the format strings: the rules that can be waived, found again in what was read.

use super::node::{Node, Nodes, Value};
use super::schema::{FieldType, TableSchema, part_type};
use super::{Db, FORMAT, OuterLength, TRAILER};
use ironlands_assets_core::bytes::{Finding, Severity};

impl Db {
    /// What is wrong with the database or worth knowing, named by table, record and field.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.tables.is_empty() {
            findings.push(Finding::new(Severity::Error, FORMAT, "no table").at(0));
        }
        let mut warn = |message: String| {
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        };
        let tables = self.kind.tables();
        if self.tables.len() < tables.len() {
            let held = self.tables.len();
            warn(format!("{held} tables of {}", tables.len()));
        }
        if self.trailer != TRAILER {
            warn(format!("{} bytes of another trailer", self.trailer.len()));
        }
        if let OuterLength::Other(length) = self.outer.length {
            warn(format!("the outer node claims {length} bytes"));
        }
        for (table, schema) in self.tables.iter().zip(tables) {
            let messages = check_table(table, schema).into_iter();
            messages.for_each(|message| warn(format!("{}: {message}", schema.name)));
        }
        findings
    }
}

fn check_table(table: &Node, schema: &TableSchema) -> Vec<String> {
    let mut problems = Vec::new();
    report_rest(table, &mut problems);
    for (index, record) in table.children().iter().enumerate() {
        let mut found = Vec::new();
        report_rest(record, &mut found);
        for field in record.children() {
            let mut of_field = Vec::new();
            match FieldType::from_column(schema.format, field.id) {
                Some(expected) => check_field(field, expected, &mut of_field),
                None => of_field.push("no column of that number".to_owned()),
            }
            let name = schema.field_name(field.id);
            found.extend(of_field.into_iter().map(|it| format!("{name}: {it}")));
        }
        problems.extend(found.into_iter().map(|it| format!("record {index}: {it}")));
    }
    problems
}

fn check_field(field: &Node, expected: FieldType, problems: &mut Vec<String>) {
    report_rest(field, problems);
    if let (Value::Raw(bytes), Some(_)) = (&field.value, expected.size()) {
        let n_bytes = bytes.len();
        problems.push(format!(
            "{n_bytes} bytes are no value of type {}",
            expected.letter()
        ));
    }
    for (place, part) in field.children().iter().enumerate() {
        match expected {
            FieldType::Parts(_) => {
                let (id, part_type) = part_type(expected, place);
                if id != Some(part.id) {
                    problems.push(format!("part {place} has the id {}", part.id));
                }
                check_field(part, part_type, problems);
            }
            FieldType::Responses | FieldType::ResponsesWithNumber => {
                check_field(part, FieldType::Response, problems);
            }
            FieldType::Response => {
                check_field(part, FieldType::from_response_part(part.id), problems)
            }
            _ => check_field(part, FieldType::Text, problems),
        }
    }
}

fn report_rest(node: &Node, problems: &mut Vec<String>) {
    if let Value::Nodes(Nodes { rest, .. }) = &node.value
        && !rest.is_empty()
    {
        problems.push(format!("{} bytes after the last whole node", rest.len()));
    }
}
