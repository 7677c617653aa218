//! Trees of nodes as bytes.
//!
//! Document: Evil Islands dossier, sections 11.1, 11.10 and 11.11. Reading takes time by the bytes: nothing is read
//! twice on the way back from an error.

use super::payload::NodeHead;
use super::resync::{self, Head};
use super::{
    FORMAT, MAX_DEPTH, Mob, Node, NodeKind, Odd, StoredSize, Tolerance, Value, ValueType, node_id,
    payload,
};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::record::{Record, field_offset};

/// Repairs that are listed before they are only counted.
const LISTED_REPAIRS: usize = 64;

pub(super) fn read(data: &[u8], tolerance: Tolerance) -> Result<(Mob, Vec<Finding>), FormatError> {
    let mut reading = Reading {
        tolerance,
        findings: Vec::new(),
        n_more: 0,
    };
    let mut r = Reader::new(FORMAT, data);
    let first_id = r.clone().u32("first id");
    match first_id {
        Ok(node_id::OBJECTDBFILE) => {}
        Err(error) if data.is_empty() => return Err(error),
        Ok(_) | Err(_) => {
            let expected = format!("{:#x}, the id of OBJECTDBFILE", node_id::OBJECTDBFILE);
            let found =
                first_id.map_or_else(|_| "its beginning".to_owned(), |id| format!("{id:#x}"));
            let error = r.unexpected("first id", expected, found);
            reading.forgive(Tolerance::OTHER_ROOT, error, "read all the same")?;
        }
    }
    let (roots, trailing) = reading.nodes(&mut r, 0)?;
    Ok((Mob { roots, trailing }, reading.into_findings()))
}

/// What has been got over so far.
struct Reading {
    tolerance: Tolerance,
    findings: Vec<Finding>,
    n_more: usize,
}

impl Reading {
    /// Continues after an error if its rule is waived.
    fn forgive(
        &mut self,
        rule: Tolerance,
        error: FormatError,
        repair: &str,
    ) -> Result<(), FormatError> {
        if !self.tolerance.contains(rule) {
            return Err(error);
        }
        if self.findings.len() < LISTED_REPAIRS {
            let message = format!("{error}; {repair}");
            let finding = Finding::new(Severity::Error, FORMAT, message);
            self.findings.push(finding.at(error.offset));
        } else {
            self.n_more = self.n_more.saturating_add(1);
        }
        Ok(())
    }

    fn into_findings(mut self) -> Vec<Finding> {
        if self.n_more > 0 {
            let message = format!("{} more repairs", self.n_more);
            let finding = Finding::new(Severity::Error, FORMAT, message);
            self.findings.push(finding);
        }
        self.findings
    }

    /// All nodes up to the end of `r`, and the bytes behind them that are none. `depth` records are around them.
    fn nodes(
        &mut self,
        r: &mut Reader<'_>,
        depth: usize,
    ) -> Result<(Vec<Node>, Vec<u8>), FormatError> {
        let mut nodes = Vec::new();
        while r.remaining() > 0 {
            let Some(head) = self.head(r)? else {
                break;
            };
            let before = r.bytes("bytes before a node", head.n_before)?.to_vec();
            let start = r.position();
            let body_len = head.len.saturating_sub(payload::HEAD_SIZE);
            let body = r.sub("node", start.saturating_add(payload::HEAD_SIZE), body_len)?;
            r.bytes("node", head.len)?;
            let (value, trailing) = self.value(head.id, body, depth)?;
            let real = u32::try_from(head.len)
                .ok()
                .filter(|len| *len != head.stored);
            let odd = Odd {
                size: real.map(|real| StoredSize {
                    stored: head.stored,
                    real,
                }),
                before,
                trailing,
            };
            nodes.push(Node {
                id: head.id,
                value,
                odd: (odd != Odd::default()).then(|| Box::new(odd)),
            });
        }
        Ok((nodes, r.rest().to_vec()))
    }

    /// The node that comes next; `None` if what is left is none, and may be so.
    fn head(&mut self, r: &Reader<'_>) -> Result<Option<Head>, FormatError> {
        let error = match resync::head_at(r, r.position()) {
            Ok(head) => {
                let Some(len) = resync::len_by_count(r, &head) else {
                    return Ok(Some(head));
                };
                let error = resync::misfit(r, head.stored, format!("{len}, by what it counts"));
                if !self.tolerance.contains(Tolerance::MISFIT) {
                    return Err(error);
                }
                self.forgive(Tolerance::MISFIT, error, "read as it counts")?;
                return Ok(Some(Head { len, ..head }));
            }
            Err(error) => error,
        };
        if self.tolerance.contains(Tolerance::MISFIT)
            && let Some(head) = resync::resynchronised(r)
        {
            let repair = format!("read as {} bytes, {} bytes later", head.len, head.n_before);
            self.forgive(Tolerance::MISFIT, error, &repair)?;
            return Ok(Some(head));
        }
        let repair = "what is left of the record is kept as bytes";
        self.forgive(Tolerance::TRAILING_BYTES, error, repair)?;
        Ok(None)
    }

    /// What a node holds, and the bytes of a record behind its last node.
    fn value(
        &mut self,
        id: u32,
        mut body: Reader<'_>,
        depth: usize,
    ) -> Result<(Value, Vec<u8>), FormatError> {
        let Some(kind) = NodeKind::from_id(id) else {
            return Ok((Value::Raw(body.rest().to_vec()), Vec::new()));
        };
        if kind.value_type == ValueType::Record {
            let inside = depth.saturating_add(1);
            if inside < MAX_DEPTH {
                let (nodes, trailing) = self.nodes(&mut body, inside)?;
                return Ok((Value::Record(nodes), trailing));
            }
            let what = format!("records nested more than {MAX_DEPTH} deep");
            let error = body.error(kind.name, FormatErrorKind::Unsupported { what });
            self.forgive(Tolerance::DEEP, error, "kept as bytes")?;
            return Ok((Value::Raw(body.rest().to_vec()), Vec::new()));
        }
        match payload::read(kind.value_type, body.clone(), kind.name) {
            Ok(value) => Ok((value, Vec::new())),
            Err(error) => {
                self.forgive(Tolerance::WRONG_SIZE, error, "kept as bytes")?;
                Ok((Value::Raw(body.rest().to_vec()), Vec::new()))
            }
        }
    }
}

pub(super) fn write(mob: &Mob) -> Result<Vec<u8>, FormatError> {
    let (bytes, _) = write_all(mob)?;
    Ok(bytes)
}

/// Where each node begins in the written file, each before its children.
pub(super) fn offsets(mob: &Mob) -> Result<Vec<u64>, FormatError> {
    let (_, offsets) = write_all(mob)?;
    Ok(offsets)
}

fn write_all(mob: &Mob) -> Result<(Vec<u8>, Vec<u64>), FormatError> {
    let Mob { roots, trailing } = mob;
    let mut w = Writer::new(FORMAT);
    let mut offsets = Vec::new();
    for node in roots {
        write_node(node, &mut w, &mut offsets, 0)?;
    }
    w.bytes(trailing);
    Ok((w.finish(), offsets))
}

fn write_node(
    node: &Node,
    w: &mut Writer,
    offsets: &mut Vec<u64>,
    depth: usize,
) -> Result<(), FormatError> {
    let Node { id, value, odd } = node;
    let (name, expected) = NodeKind::from_id(*id)
        .map_or(("unknown node", ValueType::Raw), |kind| {
            (kind.name, kind.value_type)
        });
    let found = value.value_type();
    if found != expected && found != ValueType::Raw {
        return Err(w.unexpected(name, format!("a {expected:?}"), format!("a {found:?}")));
    }
    let no_odd = Odd::default();
    let Odd {
        size,
        before,
        trailing,
    } = odd.as_deref().unwrap_or(&no_odd);
    w.bytes(before);
    let start = w.offset();
    offsets.push(start);
    // The size is known behind what the node holds.
    NodeHead { id: *id, size: 0 }.write(w, ())?;
    match value {
        Value::Record(nodes) => {
            let inside = depth.saturating_add(1);
            if inside >= MAX_DEPTH {
                let limit = MAX_DEPTH as u64;
                return Err(w.too_large("nested records", limit.saturating_add(1), limit));
            }
            for node in nodes {
                write_node(node, w, offsets, inside)?;
            }
            w.bytes(trailing);
        }
        other => payload::walk(&mut other.clone(), w, name)?,
    }
    let len = w.offset().saturating_sub(start);
    let Ok(real) = u32::try_from(len) else {
        return Err(w.too_large("node size", len, u32::MAX.into()));
    };
    // The size that was stored stands only for what was read with it.
    let stored = size
        .filter(|size| size.real == real)
        .map_or(real, |size| size.stored);
    let size_place = field_offset::<NodeHead>("node size", ()) as u64;
    let Ok(size_at) = usize::try_from(start.saturating_add(size_place)) else {
        return Err(w.too_large("file size", start, u32::MAX.into()));
    };
    w.patch_u32(size_at, stored);
    Ok(())
}
