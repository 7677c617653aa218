//! `*.scr`: what the minds of a mission do: handlers of events, each a list of nodes.
//!
//! Document: "Parkan: what is settled since", sections 6.1 and 6.4. Numbers are words wherever they stand; nothing is aligned.
//! Text is CP1251 behind its length, with a NUL that the length does not count.
//!
//! Deliberately absent: running them. Variables are those of `varset.var`, formulas those of a `*.fml`, both by position.

mod check;
mod node;
#[cfg(test)]
pub(crate) mod tests;

pub use self::node::{Node, NodeKind, Relation};

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Match, inherent_methods,
};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;
use serde::{Deserialize, Serialize};

use crate::json;

const FORMAT: &str = Scr::NAME;
/// Length of the table of functions in all known files.
pub const N_FUNCTIONS: i32 = 73;

/// A script.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scr {
    /// How many functions there are to call, [`N_FUNCTIONS`].
    pub n_functions: i32,
    /// In file order; nodes name them by index.
    pub handlers: Vec<Handler>,
}

/// What is done when something happens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handler {
    /// Its name, raw CP1251 bytes without the NUL.
    #[serde(with = "crate::json::cp1251")]
    pub name: Vec<u8>,
    /// Its index among the events of the game.
    pub index: i32,
    /// What it does, in order; nodes name others by index.
    pub nodes: Vec<Node>,
}

impl Format for Scr {
    type Context = ();

    const NAME: &'static str = "scr";
    const EXTENSIONS: &'static [&'static str] = &["scr"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let is_script = name.ends_with(".scr") && head.starts_with(&N_FUNCTIONS.to_le_bytes());
        is_script.then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        let nodes = || self.handlers.iter().flat_map(|it| &it.nodes);
        report.fact("handlers", self.handlers.len());
        report.fact("nodes", nodes().count());
        let n_calls = nodes().filter(|it| it.function.is_some()).count();
        report.fact("calls of functions", n_calls);
        for handler in &self.handlers {
            let name = decode_cp1251(&handler.name);
            let n_nodes = handler.nodes.len();
            report.fact(
                "handler",
                format!("{name} ({}): {n_nodes} nodes", handler.index),
            );
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Scr {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Bytes cut short or left over, a count or a length that the bytes cannot hold, or a name without its NUL.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_functions = r.i32("function count")?;
        let n_handlers = r.count("handler count", Handler::MIN_SIZE)?;
        let handlers = (0..n_handlers)
            .map(|_| Handler::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last handler")?;
        Ok(Self {
            n_functions,
            handlers,
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// More of anything than its count can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            n_functions,
            handlers,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.i32(*n_functions);
        w.count("handler count", handlers.len())?;
        for handler in handlers {
            handler.write(&mut w)?;
        }
        Ok(w.finish())
    }
}

impl Handler {
    /// Length, NUL, index and count.
    const MIN_SIZE: usize = 13;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let len = r.count("name length", 1)?;
        let name = r.bytes("handler name", len)?.to_vec();
        r.expect("end of the name", &[0])?;
        let index = r.i32("handler index")?;
        let n_nodes = r.count("node count", Node::MIN_SIZE)?;
        let nodes = (0..n_nodes)
            .map(|_| Node::read(r))
            .collect::<Result<_, _>>()?;
        Ok(Self { name, index, nodes })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { name, index, nodes } = self;
        w.count("name length", name.len())?;
        w.bytes(name);
        w.u8(0);
        w.i32(*index);
        w.count("node count", nodes.len())?;
        for node in nodes {
            node.write(w)?;
        }
        Ok(())
    }
}
