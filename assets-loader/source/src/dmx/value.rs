//! Values of attributes.

/// A text: where it stands, or one of those that the file stores once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DmxText {
    /// Its bytes, without a NUL.
    Inline(Vec<u8>),
    /// Index into [`Dmx::strings`](super::Dmx::strings).
    Listed(u32),
}

/// A reference to an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum DmxLink {
    /// To none.
    #[default]
    None,
    /// Index into [`Dmx::elements`](super::Dmx::elements).
    Element(u32),
    /// To one outside of the file, by its id in letters.
    External(Vec<u8>),
}

/// One value, or a list of values of the same type.
#[derive(Debug, Clone, PartialEq)]
pub enum DmxItems<T> {
    /// A value.
    One(T),
    /// A list.
    List(Vec<T>),
}

/// Sixteen numbers: a matrix, row after row.
pub type Dmx16 = [f32; 16];

/// The value of an attribute, by its type.
#[derive(Debug, Clone, PartialEq)]
pub enum DmxValue {
    /// Other elements.
    Element(DmxItems<DmxLink>),
    /// Whole numbers.
    Int(DmxItems<i32>),
    /// Numbers.
    Float(DmxItems<f32>),
    /// True unless 0.
    Bool(DmxItems<u8>),
    /// Texts.
    Text(DmxItems<DmxText>),
    /// Bytes of any meaning.
    Bytes(DmxItems<Vec<u8>>),
    /// Ids of elements; before encoding 3.
    Id(DmxItems<[u8; 16]>),
    /// Times in ten-thousandths of a second; from encoding 3 on.
    Time(DmxItems<i32>),
    /// Red, green, blue, alpha.
    Color(DmxItems<[u8; 4]>),
    /// Two numbers.
    Vec2(DmxItems<[f32; 2]>),
    /// Three numbers.
    Vec3(DmxItems<[f32; 3]>),
    /// Four numbers.
    Vec4(DmxItems<[f32; 4]>),
    /// Pitch, yaw and roll in degrees.
    Angles(DmxItems<[f32; 3]>),
    /// x, y, z, w.
    Quaternion(DmxItems<[f32; 4]>),
    /// Matrices.
    Matrix(DmxItems<Box<Dmx16>>),
}

impl Default for DmxText {
    fn default() -> Self {
        Self::Inline(Vec::new())
    }
}

impl Default for DmxValue {
    fn default() -> Self {
        Self::Int(DmxItems::One(0))
    }
}

impl<T> DmxItems<T> {
    /// The value, or all values of the list.
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::List(values) => values,
        }
    }
}

impl<T: Default> DmxItems<T> {
    /// A value, or an empty list.
    fn new(is_list: bool) -> Self {
        match is_list {
            true => Self::List(Vec::new()),
            false => Self::One(T::default()),
        }
    }
}

/// Numbers of types: lists have theirs this much higher.
pub(super) const LISTS_FROM: u8 = 14;
/// The type that has changed its meaning.
pub(super) const ID_OR_TIME: u8 = 7;

impl DmxValue {
    /// An empty value of a type by its number in an encoding; `None` for no type.
    pub(super) fn from_type(number: u8, has_times: bool) -> Option<Self> {
        let is_list = number > LISTS_FROM;
        let number = match is_list {
            true => number.saturating_sub(LISTS_FROM),
            false => number,
        };
        Some(match number {
            1 => Self::Element(DmxItems::new(is_list)),
            2 => Self::Int(DmxItems::new(is_list)),
            3 => Self::Float(DmxItems::new(is_list)),
            4 => Self::Bool(DmxItems::new(is_list)),
            5 => Self::Text(DmxItems::new(is_list)),
            6 => Self::Bytes(DmxItems::new(is_list)),
            ID_OR_TIME if has_times => Self::Time(DmxItems::new(is_list)),
            ID_OR_TIME => Self::Id(DmxItems::new(is_list)),
            8 => Self::Color(DmxItems::new(is_list)),
            9 => Self::Vec2(DmxItems::new(is_list)),
            10 => Self::Vec3(DmxItems::new(is_list)),
            11 => Self::Vec4(DmxItems::new(is_list)),
            12 => Self::Angles(DmxItems::new(is_list)),
            13 => Self::Quaternion(DmxItems::new(is_list)),
            14 => Self::Matrix(DmxItems::new(is_list)),
            _ => return None,
        })
    }

    /// Number and name of its type, and whether it is a list.
    fn type_of(&self) -> (u8, &'static str, bool) {
        fn is_list<T>(items: &DmxItems<T>) -> bool {
            matches!(items, DmxItems::List(_))
        }
        match self {
            Self::Element(it) => (1, "element", is_list(it)),
            Self::Int(it) => (2, "int", is_list(it)),
            Self::Float(it) => (3, "float", is_list(it)),
            Self::Bool(it) => (4, "bool", is_list(it)),
            Self::Text(it) => (5, "string", is_list(it)),
            Self::Bytes(it) => (6, "binary", is_list(it)),
            Self::Id(it) => (ID_OR_TIME, "id", is_list(it)),
            Self::Time(it) => (ID_OR_TIME, "time", is_list(it)),
            Self::Color(it) => (8, "color", is_list(it)),
            Self::Vec2(it) => (9, "vector2", is_list(it)),
            Self::Vec3(it) => (10, "vector3", is_list(it)),
            Self::Vec4(it) => (11, "vector4", is_list(it)),
            Self::Angles(it) => (12, "angles", is_list(it)),
            Self::Quaternion(it) => (13, "quaternion", is_list(it)),
            Self::Matrix(it) => (14, "matrix", is_list(it)),
        }
    }

    /// Number of its type.
    pub(super) fn type_number(&self) -> u8 {
        match self.type_of() {
            (number, _, false) => number,
            (number, _, true) => number.saturating_add(LISTS_FROM),
        }
    }

    /// Name of its type in text encodings, that of one item for a list.
    pub fn type_name(&self) -> &'static str {
        self.type_of().1
    }
}
