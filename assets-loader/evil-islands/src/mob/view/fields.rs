//! Fields of a record: taken from its nodes, and put together to such.

use crate::mob::edit::{EditError, encode};
use crate::mob::{Node, StringItem, Value};

/// Nodes of a record by id; what is not there, or of another type, has its default.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Node);

impl<'a> Fields<'a> {
    pub(super) fn value(self, id: u32) -> Option<&'a Value> {
        self.0.child(id).map(|node| &node.value)
    }

    pub(super) fn byte(self, id: u32) -> u8 {
        self.value(id).and_then(Value::as_byte).unwrap_or_default()
    }

    pub(super) fn flag(self, id: u32) -> bool {
        self.byte(id) != 0
    }

    pub(super) fn dword(self, id: u32) -> u32 {
        self.value(id).and_then(Value::as_dword).unwrap_or_default()
    }

    pub(super) fn float(self, id: u32) -> f32 {
        self.value(id).and_then(Value::as_float).unwrap_or_default()
    }

    pub(super) fn plot(self, id: u32) -> [f32; 3] {
        self.value(id).and_then(Value::as_plot).unwrap_or_default()
    }

    pub(super) fn text(self, id: u32) -> String {
        let text = self.value(id).and_then(Value::as_text);
        text.unwrap_or_default().into_owned()
    }

    pub(super) fn texts(self, id: u32) -> Vec<String> {
        self.value(id).and_then(Value::as_texts).unwrap_or_default()
    }
}

/// Nodes of a record, in the order in which they are added.
#[derive(Default)]
pub(in crate::mob) struct NodeList(pub(in crate::mob) Vec<Node>);

impl NodeList {
    pub(in crate::mob) fn push(&mut self, id: u32, value: Value) {
        self.0.push(Node::new(id, value));
    }

    pub(in crate::mob) fn byte(&mut self, id: u32, value: impl Into<u8>) {
        self.push(id, Value::Byte(value.into()));
    }

    pub(in crate::mob) fn dword(&mut self, id: u32, value: u32) {
        self.push(id, Value::Dword(value));
    }

    pub(in crate::mob) fn float(&mut self, id: u32, value: f32) {
        self.push(id, Value::Float(value));
    }

    pub(in crate::mob) fn plot(&mut self, id: u32, value: [f32; 3]) {
        self.push(id, Value::Plot(value));
    }

    pub(in crate::mob) fn text(&mut self, id: u32, text: &str) -> Result<(), EditError> {
        self.push(id, Value::String(encode(text)?));
        Ok(())
    }

    pub(in crate::mob) fn texts(&mut self, id: u32, texts: &[String]) -> Result<(), EditError> {
        let item = |text: &String| {
            let text = encode(text)?;
            Ok(StringItem { id, text })
        };
        let items = texts.iter().map(item).collect::<Result<_, EditError>>()?;
        self.push(id, Value::StringArray(items));
        Ok(())
    }

    pub(in crate::mob) fn into_record(self, id: u32) -> Node {
        Node::new(id, Value::Record(self.0))
    }
}
