//! Particle systems in a tree of elements.

use std::collections::HashSet;

use super::functions::{FunctionList, canonical_name, is_stock};
use crate::dmx::{Dmx, DmxElement, DmxItems, DmxLink, DmxText, DmxValue};

/// Most particles of a system that does not say.
pub(super) const MAX_PARTICLES: i32 = 1000;

/// Named values of a system or of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameters<'a> {
    dmx: &'a Dmx,
    element: &'a DmxElement,
}

/// One particle system of a file.
#[derive(Debug, Clone, Copy)]
pub struct ParticleSystem<'a> {
    parameters: Parameters<'a>,
    /// Index into the elements of the file.
    index: usize,
}

/// What a system does at one stage: an operator, an initializer, an emitter and so on.
#[derive(Debug, Clone, Copy)]
pub struct Function<'a> {
    /// In which list of the system it stands.
    pub list: FunctionList,
    /// Its parameters.
    pub parameters: Parameters<'a>,
}

/// A system that begins with another one.
#[derive(Debug, Clone, Copy)]
pub struct Child<'a> {
    /// Which.
    pub system: ParticleSystem<'a>,
    /// How much later it begins, in seconds.
    pub delay_secs: f32,
}

impl<'a> Parameters<'a> {
    fn get(&self, key: &str) -> Option<&'a DmxValue> {
        self.dmx.attribute(self.element, key)
    }

    /// A number, whole or not; the default where it is missing, of another type or not finite.
    pub fn number(&self, key: &str, default: f32) -> f32 {
        let number = match self.get(key) {
            Some(DmxValue::Float(DmxItems::One(number))) => Some(*number),
            Some(DmxValue::Int(DmxItems::One(number))) => Some(*number as f32),
            _ => None,
        };
        number.filter(|it| it.is_finite()).unwrap_or(default)
    }

    /// A whole number.
    pub fn int(&self, key: &str, default: i32) -> i32 {
        match self.get(key) {
            Some(DmxValue::Int(DmxItems::One(number))) => *number,
            Some(DmxValue::Float(DmxItems::One(number))) if number.is_finite() => *number as i32,
            _ => default,
        }
    }

    /// Whether something is so.
    pub fn flag(&self, key: &str, default: bool) -> bool {
        match self.get(key) {
            Some(DmxValue::Bool(DmxItems::One(byte))) => *byte != 0,
            Some(DmxValue::Int(DmxItems::One(number))) => *number != 0,
            _ => default,
        }
    }

    /// Three numbers.
    pub fn vec3(&self, key: &str, default: [f32; 3]) -> [f32; 3] {
        let numbers = match self.get(key) {
            Some(
                DmxValue::Vec3(DmxItems::One(numbers)) | DmxValue::Angles(DmxItems::One(numbers)),
            ) => Some(*numbers),
            _ => None,
        };
        let numbers = numbers.filter(|it| it.iter().all(|it| it.is_finite()));
        numbers.unwrap_or(default)
    }

    /// Red, green, blue and alpha, 0 to 1.
    pub fn color(&self, key: &str, default: [f32; 4]) -> [f32; 4] {
        match self.get(key) {
            Some(DmxValue::Color(DmxItems::One(color))) => {
                color.map(|channel| f32::from(channel) / 255.0)
            }
            _ => default,
        }
    }

    /// A text, if it stands there.
    pub fn text(&self, key: &str) -> Option<String> {
        match self.get(key) {
            Some(DmxValue::Text(DmxItems::One(text))) => Some(self.string(text)),
            _ => None,
        }
    }

    /// The elements that a list leads to, with their indices.
    fn elements(
        &self,
        key: &str,
    ) -> impl Iterator<Item = Option<(usize, &'a DmxElement)>> + use<'a> {
        let links: &'a [DmxLink] = match self.get(key) {
            Some(DmxValue::Element(links)) => links.as_slice(),
            _ => &[],
        };
        let dmx = self.dmx;
        links.iter().map(move |link| dmx.linked(link))
    }

    fn string(&self, text: &DmxText) -> String {
        String::from_utf8_lossy(self.dmx.text(text)).into_owned()
    }

    /// The keys that stand here more than once.
    fn duplicated(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let names = self.element.attributes.iter().map(|it| &it.name);
        let names = names.map(|it| self.string(it));
        names
            .filter(|it| !seen.insert(it.to_ascii_lowercase()))
            .collect()
    }
}

impl<'a> ParticleSystem<'a> {
    pub(super) fn new(dmx: &'a Dmx, index: usize, element: &'a DmxElement) -> Self {
        let parameters = Parameters { dmx, element };
        Self { parameters, index }
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.parameters.string(&self.parameters.element.name)
    }

    /// Index into the elements of the file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its own values, those of all particles for which no initializer has others.
    pub fn parameters(&self) -> Parameters<'a> {
        self.parameters
    }

    /// The name of its material.
    pub fn material(&self) -> Option<String> {
        self.parameters.text("material")
    }

    /// All functions, list after list, in file order.
    pub fn functions(&self) -> impl Iterator<Item = Function<'a>> {
        let parameters = self.parameters;
        FunctionList::ALL.into_iter().flat_map(move |list| {
            let elements = parameters.elements(list.key()).flatten();
            let Parameters { dmx, .. } = parameters;
            elements.map(move |(_, element)| Function {
                list,
                parameters: Parameters { dmx, element },
            })
        })
    }

    /// The systems that begin with it. Those that are not in the file are left out; it may be one of
    /// them itself.
    pub fn children(&self) -> impl Iterator<Item = Child<'a>> {
        let dmx = self.parameters.dmx;
        let links = self.parameters.elements("children").flatten();
        links.filter_map(move |(index, element)| child(dmx, index, element))
    }

    /// How many of its children are not in the file.
    fn n_lost_children(&self) -> usize {
        let n_links = self.parameters.elements("children").count();
        n_links.saturating_sub(self.children().count())
    }

    /// Whether it begins itself, at once or through others.
    fn is_own_descendant(&self) -> bool {
        let mut seen = HashSet::new();
        let mut left: Vec<_> = self.children().map(|it| it.system).collect();
        while let Some(system) = left.pop() {
            if system.index == self.index {
                return true;
            }
            if seen.insert(system.index) {
                left.extend(system.children().map(|it| it.system));
            }
        }
        false
    }

    /// What games would miss or overlook in it.
    pub(super) fn flaws(&self) -> Vec<String> {
        let mut flaws = Vec::new();
        if self.material().is_none_or(|it| it.is_empty()) {
            flaws.push("it has no material".to_owned());
        }
        let n_lost = self.n_lost_children();
        if n_lost > 0 {
            flaws.push(format!("{n_lost} children are no systems of this file"));
        }
        if self.is_own_descendant() {
            flaws.push("it is a child of itself".to_owned());
        }
        let twice =
            |key: String, place: &str| format!("{key} stands in {place} twice; the last counts");
        let own = self.parameters.duplicated().into_iter();
        flaws.extend(own.map(|key| twice(key, "it")));
        // The same function may stand in it more than once.
        let mut seen = HashSet::new();
        let functions = self.functions();
        for function in
            functions.filter(|it| seen.insert(std::ptr::from_ref(it.parameters.element)))
        {
            let name = function.name();
            let keys = function.parameters.duplicated().into_iter();
            flaws.extend(keys.map(|key| twice(key, &name)));
        }
        flaws
    }
}

/// A child by its link: an element that names the system and the delay, or the system itself.
fn child<'a>(dmx: &'a Dmx, index: usize, element: &'a DmxElement) -> Option<Child<'a>> {
    let link = Parameters { dmx, element };
    let delay_secs = link.number("delay", 0.0).max(0.0);
    let (index, element) = match link.get("child") {
        Some(DmxValue::Element(links)) => dmx.linked(links.as_slice().first()?)?,
        _ if link.get("functionName").is_some() => return None,
        _ => (index, element),
    };
    let system = ParticleSystem::new(dmx, index, element);
    Some(Child { system, delay_secs })
}

impl Function<'_> {
    /// What it does, by the name that games have for it now.
    pub fn name(&self) -> String {
        let name = self.parameters.text("functionName").unwrap_or_default();
        canonical_name(&name).to_owned()
    }

    /// Whether the stock games have it.
    pub fn is_stock(&self) -> bool {
        is_stock(self.list, &self.name())
    }
}
