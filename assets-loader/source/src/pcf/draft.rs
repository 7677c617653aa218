//! New files of particle systems.

use super::{DMX_FORMAT, FunctionList, Pcf, SYSTEMS};
use crate::dmx::{Dmx, DmxAttribute, DmxElement, DmxItems, DmxLink, DmxValue};

/// A value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DraftValue<'a> {
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f32),
    /// Whether something is so.
    Flag(bool),
    /// A text.
    Text(&'a str),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    /// Three numbers.
    Vec3([f32; 3]),
}

/// Named values.
type DraftParameters<'a> = &'a [(&'a str, DraftValue<'a>)];

/// A function of a new system.
#[derive(Debug, Clone, Copy)]
pub struct DraftFunction<'a> {
    /// In which list of the system it stands.
    pub list: FunctionList,
    /// What it does.
    pub name: &'a str,
    /// Its parameters.
    pub parameters: DraftParameters<'a>,
}

/// A new system.
#[derive(Debug, Clone, Copy)]
pub struct DraftSystem<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its own parameters, with its material.
    pub parameters: DraftParameters<'a>,
    /// What it does.
    pub functions: &'a [DraftFunction<'a>],
    /// Indices of the systems that begin with it, and how many seconds later.
    pub children: &'a [(usize, f32)],
}

impl Pcf {
    /// A new file in an encoding, 1 to 5. Ids are numbers from 1 on.
    pub fn draft(encoding: u32, systems: &[DraftSystem<'_>]) -> Self {
        let mut maker = Maker {
            dmx: Dmx {
                encoding,
                format: DMX_FORMAT.to_owned(),
                format_version: 1,
                ..Dmx::default()
            },
        };
        let root = maker.element("DmElement", "untitled");
        let elements: Vec<_> = (systems.iter())
            .map(|it| maker.element("DmeParticleSystemDefinition", it.name))
            .collect();
        maker.set(root, SYSTEMS, links(&elements));
        for (system, &element) in systems.iter().zip(&elements) {
            maker.fill(system, element, &elements);
        }
        Self { dmx: maker.dmx }
    }
}

fn links(elements: &[u32]) -> DmxValue {
    let links = elements.iter().map(|it| DmxLink::Element(*it));
    DmxValue::Element(DmxItems::List(links.collect()))
}

struct Maker {
    dmx: Dmx,
}

impl Maker {
    /// Index of a new element without attributes.
    fn element(&mut self, kind: &str, name: &str) -> u32 {
        // Each takes memory of its own.
        let index = self.dmx.elements.len() as u32;
        let mut id = [0; 16];
        let number = index.saturating_add(1).to_le_bytes();
        for (byte, of_number) in id.iter_mut().zip(number) {
            *byte = of_number;
        }
        let element = DmxElement {
            kind: self.dmx.intern(kind),
            name: self.dmx.intern_value(name),
            id,
            attributes: Vec::new(),
        };
        self.dmx.elements.push(element);
        index
    }

    fn set(&mut self, element: u32, key: &str, value: DmxValue) {
        let name = self.dmx.intern(key);
        if let Some(element) = self.dmx.elements.get_mut(element as usize) {
            element.attributes.push(DmxAttribute { name, value });
        }
    }

    fn set_all(&mut self, element: u32, parameters: DraftParameters<'_>) {
        for (key, value) in parameters {
            let value = match *value {
                DraftValue::Int(it) => DmxValue::Int(DmxItems::One(it)),
                DraftValue::Float(it) => DmxValue::Float(DmxItems::One(it)),
                DraftValue::Flag(it) => DmxValue::Bool(DmxItems::One(it.into())),
                DraftValue::Text(it) => DmxValue::Text(DmxItems::One(self.dmx.intern_value(it))),
                DraftValue::Color(it) => DmxValue::Color(DmxItems::One(it)),
                DraftValue::Vec3(it) => DmxValue::Vec3(DmxItems::One(it)),
            };
            self.set(element, key, value);
        }
    }

    /// The lists and parameters of a system.
    fn fill(&mut self, system: &DraftSystem<'_>, element: u32, systems: &[u32]) {
        for list in FunctionList::ALL {
            let functions = system.functions.iter().filter(|it| it.list == list);
            let functions: Vec<_> = functions
                .map(|function| {
                    let element = self.element("DmeParticleOperator", function.name);
                    let name = DraftValue::Text(function.name);
                    self.set_all(element, &[("functionName", name)]);
                    self.set_all(element, function.parameters);
                    element
                })
                .collect();
            self.set(element, list.key(), links(&functions));
        }
        let children = system.children.iter().filter_map(|&(child, delay_secs)| {
            let child = *systems.get(child)?;
            let link = self.element("DmeParticleChild", "");
            let to = DmxValue::Element(DmxItems::One(DmxLink::Element(child)));
            self.set(link, "child", to);
            self.set_all(link, &[("delay", DraftValue::Float(delay_secs))]);
            Some(link)
        });
        let children: Vec<_> = children.collect();
        self.set(element, "children", links(&children));
        self.set_all(element, system.parameters);
    }
}
