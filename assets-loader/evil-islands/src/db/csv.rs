//! A table as CSV for people and their spreadsheets, and back (RFC 4180; UTF-8, commas).
//!
//! A row is a record: its id, then a cell for each column. An empty cell is a field that is not there. What a row
//! cannot hold is reported: fields that are repeated or out of order, lengths in long form, bytes of no node. Where
//! nothing is reported, the records come back as the same bytes. What is around the records stays in the database: its
//! own ids, trailer and the like.

use super::cells;
use super::node::{Node, Nodes, Value};
use super::schema::FieldType;
use super::{Db, DbKind, FORMAT, TableSchema};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};

const RECORD_ID: &str = "record id";

impl Db {
    /// A table as CSV, by its index in [`DbKind::tables`], and what the CSV does not hold; `None` if it is not there.
    pub fn table_to_csv(&self, table: usize) -> Option<(String, Vec<Finding>)> {
        let schema = self.kind.tables().get(table)?;
        let records = self.tables.get(table)?.children();
        let mut text = String::new();
        let columns = (0..schema.format.len()).filter_map(|id| u8::try_from(id).ok());
        let heads = columns
            .clone()
            .map(|id| format!("{id} {}", schema.field_name(id)));
        push_row(&mut text, [RECORD_ID.to_owned()].into_iter().chain(heads));
        let mut findings = Vec::new();
        for (index, record) in records.iter().enumerate() {
            let cell = |id: u8| record.child(id).map(|it| cells::cell(&it.value));
            let cells = columns.clone().map(|id| cell(id).unwrap_or_default());
            push_row(&mut text, [record.id.to_string()].into_iter().chain(cells));
            if let Some(loss) = loss_of(record, schema) {
                let message = format!("{}: record {index}: CSV does not hold {loss}", schema.name);
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
        Some((text, findings))
    }

    /// Puts the records of a CSV text in place of those of a table.
    ///
    /// # Errors
    /// See [`records_from_csv`]; there is no such table.
    pub fn set_table_from_csv(&mut self, table: usize, text: &str) -> Result<(), FormatError> {
        let schemas = self.kind.tables();
        let (Some(schema), Some(node)) = (schemas.get(table), self.tables.get_mut(table)) else {
            let expected = format!("a table below {}", schemas.len());
            return Err(Reader::new("csv", &[]).unexpected("table", expected, table));
        };
        let records = records_from_csv(schema, text)?;
        match &mut node.value {
            Value::Nodes(nodes) => nodes.nodes = records,
            value => *value = Value::Nodes(Nodes::from_nodes(records)),
        }
        Ok(())
    }

    /// A fresh database of a CSV text for each of its tables, in the order of [`DbKind::tables`].
    ///
    /// # Errors
    /// See [`records_from_csv`].
    pub fn from_csv(kind: DbKind, tables: &[&str]) -> Result<Self, FormatError> {
        let tables = kind.tables().iter().zip(tables);
        let tables = tables.map(|(schema, text)| {
            records_from_csv(schema, text).map_err(|error| error.in_entry(schema.name))
        });
        Ok(Self::draft(kind, tables.collect::<Result<_, _>>()?))
    }
}

/// The records of a CSV text.
///
/// # Errors
/// The row and column of the error, with the offset of the row: a column that the table does not have or that
/// comes twice, no record ids, a value that its column cannot hold, a quote that is not closed.
fn records_from_csv(schema: &TableSchema, text: &str) -> Result<Vec<Node>, FormatError> {
    let text = text.trim_start_matches('\u{FEFF}');
    let mut rows = rows(text)?.into_iter();
    let Some(heads) = rows.next() else {
        return Err(at(0, "row 1", "names of columns", "nothing"));
    };
    let columns = columns(schema, &heads)?;
    let mut records = Vec::new();
    for (index, row) in rows.enumerate() {
        let number = index.saturating_add(2);
        if row.cells.iter().all(String::is_empty) {
            continue;
        }
        let problem = |column: &str, expected: &str, found: &str| {
            let field = format!("row {number}, {column}");
            Err(at(row.offset, field, expected, found))
        };
        if row.cells.len() > columns.len() {
            let found = row.cells.len().to_string();
            return problem("its cells", "no more than columns", &found);
        }
        let mut id = None;
        let mut fields = Vec::new();
        for (column, cell) in columns.iter().zip(&row.cells) {
            match column {
                None => match cell.trim().parse() {
                    Ok(number) => id = Some(number),
                    Err(_) => return problem(RECORD_ID, "a number up to 255", cell),
                },
                Some(_) if cell.is_empty() => {}
                Some((id, field)) => match cells::parse(cell, *field) {
                    Ok(value) => fields.push(Node::new(*id, value)),
                    Err(reported) => {
                        let expected = format!("a value of type {}", field.letter());
                        return problem(&schema.field_name(*id), &expected, &reported);
                    }
                },
            }
        }
        let Some(id) = id else {
            return problem(RECORD_ID, "a number up to 255", "nothing");
        };
        fields.sort_by_key(|field| field.id);
        records.push(Node::new(id, Value::Nodes(Nodes::from_nodes(fields))));
    }
    Ok(records)
}

/// The column of each cell: `None` for the record's id.
fn columns(schema: &TableSchema, heads: &Row) -> Result<Vec<Option<(u8, FieldType)>>, FormatError> {
    let mut columns: Vec<Option<(u8, FieldType)>> = Vec::new();
    for head in &heads.cells {
        let column = match head.trim() {
            RECORD_ID => None,
            head => {
                let number = head.split(' ').next().unwrap_or_default();
                let id = number.parse().ok();
                let column =
                    id.and_then(|id| Some((id, FieldType::from_column(schema.format, id)?)));
                if column.is_none() {
                    let expected = format!("a number below {} and a name", schema.format.len());
                    return Err(at(0, "row 1", &expected, head));
                }
                column
            }
        };
        if columns.contains(&column) {
            return Err(at(0, "row 1", "each column once", head));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn at(
    offset: usize,
    field: impl Into<std::borrow::Cow<'static, str>>,
    expected: &str,
    found: &str,
) -> FormatError {
    let r = Reader::nested("csv", &[], offset as u64);
    r.unexpected(field, expected.to_owned(), found)
}

/// What of a record a row does not hold; `None` if nothing.
fn loss_of(record: &Node, schema: &TableSchema) -> Option<&'static str> {
    let fields = record.children();
    let ids: Vec<u8> = fields.iter().map(|field| field.id).collect();
    let is_known = |field: &Node| usize::from(field.id) < schema.format.len();
    if !ids.is_sorted_by(|a, b| a < b) {
        Some("fields that are repeated or out of order")
    } else if !fields.iter().all(is_known) {
        Some("fields of no column")
    } else if has_long_form(record) {
        Some("lengths in long form")
    } else if has_rest(record) {
        Some("bytes after the last whole node")
    } else {
        None
    }
}

fn has_long_form(node: &Node) -> bool {
    node.is_long || node.children().iter().any(has_long_form)
}

fn has_rest(node: &Node) -> bool {
    let has_own = matches!(&node.value, Value::Nodes(nodes) if !nodes.rest.is_empty());
    has_own || node.children().iter().any(has_rest)
}

fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        match cell.contains([',', '"', '\n', '\r']) {
            true => text.push_str(&format!("\"{}\"", cell.replace('"', "\"\""))),
            false => text.push_str(&cell),
        }
    }
    text.push('\n');
}

/// A row, and where it begins in the text.
struct Row {
    offset: usize,
    cells: Vec<String>,
}

/// Splits a text into rows of cells.
fn rows(text: &str) -> Result<Vec<Row>, FormatError> {
    let mut rows = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let offset = text.len().saturating_sub(rest.len());
        let mut cells = Vec::new();
        loop {
            let (cell, after) = take_cell(rest).ok_or_else(|| {
                let number = rows.len().saturating_add(1);
                let expected = "quotes that are closed before a comma or the end of the row";
                at(offset, format!("row {number}"), expected, "others")
            })?;
            cells.push(cell);
            match after.strip_prefix(',') {
                Some(after) => rest = after,
                None => {
                    let after = after.strip_prefix('\r').unwrap_or(after);
                    rest = after.strip_prefix('\n').unwrap_or(after);
                    break;
                }
            }
        }
        rows.push(Row { offset, cells });
    }
    Ok(rows)
}

/// Takes a cell off the front, up to a comma, the end of the row or of the text.
fn take_cell(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\r', '\n']).unwrap_or(text.len());
        let (cell, rest) = text.split_at_checked(end)?;
        return Some((cell.to_owned(), rest));
    };
    let mut cell = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        cell.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                cell.push('"');
                rest = after;
            }
            None => {
                let ends = after.is_empty() || after.starts_with([',', '\r', '\n']);
                return ends.then_some((cell, after));
            }
        }
    }
}
