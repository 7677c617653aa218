//! Fields of a record of nodes, which each view lists once, to be read from nodes and to be written to nodes.

use crate::mob::edit::{EditError, encode};
use crate::mob::{Area, LeverStats, Node, StringItem, UnitStats, Value};

/// A view of a record of nodes.
pub trait View: Clone + Default {
    /// Id of the records.
    const ID: u32;

    /// Walks all fields, in the order in which the newest editor writes them.
    fn walk(&mut self, c: &mut impl NodeCodec);

    /// The view of a record; `None` if the node is not such a record.
    fn from_node(node: &Node) -> Option<Self> {
        (node.id == Self::ID).then(|| Self::default().with_fields_of(node))
    }

    /// The record, as the newest editor writes it.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    fn to_node(&self) -> Result<Node, EditError> {
        self.to_record(Self::ID)
    }

    /// The same view with the fields that a record has.
    #[must_use]
    fn with_fields_of(mut self, node: &Node) -> Self {
        self.walk(&mut NodeReader(node));
        self
    }

    /// A record of the fields with any id.
    ///
    /// # Errors
    /// As of [`Self::to_node`].
    fn to_record(&self, id: u32) -> Result<Node, EditError> {
        let mut written = NodeWriter::default();
        self.clone().walk(&mut written);
        match written.error {
            Some(error) => Err(error),
            None => Ok(Node::new(id, Value::Record(written.nodes))),
        }
    }
}

/// A reader or a writer of the fields of a record: fills them from nodes, or makes nodes of them.
pub trait NodeCodec {
    /// A field. It is `default` if there is no node of that id, or one of another type.
    fn field_or<T: NodeField>(&mut self, id: u32, field: &mut T, default: T);

    /// Records in the record, in file order.
    fn records<V: View>(&mut self, views: &mut Vec<V>);

    /// A field, by default empty or zero.
    fn field<T: NodeField>(&mut self, id: u32, field: &mut T) {
        self.field_or(id, field, T::default());
    }
}

/// The nodes of a record by id.
struct NodeReader<'a>(&'a Node);

impl NodeCodec for NodeReader<'_> {
    fn field_or<T: NodeField>(&mut self, id: u32, field: &mut T, default: T) {
        let node = self.0.child(id);
        let value = node.and_then(|node| T::from_value(&node.value));
        *field = value.unwrap_or(default);
    }

    fn records<V: View>(&mut self, views: &mut Vec<V>) {
        *views = self.0.children().iter().filter_map(V::from_node).collect();
    }
}

/// Nodes of a record, in the order in which they are added, and the first error.
#[derive(Default)]
struct NodeWriter {
    nodes: Vec<Node>,
    error: Option<EditError>,
}

impl NodeWriter {
    fn push(&mut self, node: Result<Option<Node>, EditError>) {
        match node {
            Ok(node) => self.nodes.extend(node),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }
}

impl NodeCodec for NodeWriter {
    fn field_or<T: NodeField>(&mut self, id: u32, field: &mut T, _: T) {
        let value = field.to_value(id);
        self.push(value.map(|value| value.map(|value| Node::new(id, value))));
    }

    fn records<V: View>(&mut self, views: &mut Vec<V>) {
        for view in views {
            self.push(view.to_node().map(Some));
        }
    }
}

/// What a node of a field holds.
pub trait NodeField: Default {
    /// The field; `None` of a value of another type.
    fn from_value(value: &Value) -> Option<Self>;

    /// The value of the node with that id; `None` if there is to be no node.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    fn to_value(&self, id: u32) -> Result<Option<Value>, EditError>;
}

macro_rules! node_fields {
    ($($ty:ty: $variant:ident($value:ident) => $of:expr, $field:ident => $to:expr;)*) => {$(
        impl NodeField for $ty {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$variant($value) => Some($of),
                    _ => None,
                }
            }

            fn to_value(&self, _: u32) -> Result<Option<Value>, EditError> {
                let $field = self;
                Ok($to.map(Value::$variant))
            }
        }
    )*};
}

node_fields! {
    u8: Byte(byte) => *byte, byte => Some(*byte);
    bool: Byte(byte) => *byte != 0, flag => Some(u8::from(*flag));
    u32: Dword(number) => *number, number => Some(*number);
    i32: Dword(number) => number.cast_signed(), number => Some(number.cast_unsigned());
    f32: Float(number) => *number, number => Some(*number);
    [f32; 3]: Plot(plot) => *plot, plot => Some(*plot);
    [f32; 4]: Quaternion(rotation) => *rotation, rotation => Some(*rotation);
    LeverStats: LeverStats(stats) => *stats, stats => Some(*stats);
    // The newest editor writes no nodes of empty lists and of missing statistics.
    Option<UnitStats>: UnitStats(stats) => Some(**stats), stats => stats.map(Box::new);
    Vec<Area>: AreaArray(areas) => areas.clone(), areas => filled(areas);
    Vec<[f32; 2]>: PointArray(points) => points.clone(), points => filled(points);
}

fn filled<T: Clone>(items: &[T]) -> Option<Vec<T>> {
    (!items.is_empty()).then(|| items.to_vec())
}

impl NodeField for String {
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.as_text()?.into_owned())
    }

    fn to_value(&self, _: u32) -> Result<Option<Value>, EditError> {
        encode(self).map(|text| Some(Value::String(text)))
    }
}

impl NodeField for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_texts()
    }

    fn to_value(&self, id: u32) -> Result<Option<Value>, EditError> {
        let item = |text: &String| encode(text).map(|text| StringItem { id, text });
        let items = self.iter().map(item).collect::<Result<_, _>>()?;
        Ok(Some(Value::StringArray(items)))
    }
}
