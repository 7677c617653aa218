//! What the records of a map mean: typed views of nodes, and nodes made of them.
//!
//! Document: Evil Islands dossier, sections 11.3 and 11.7 to 11.9. A view is a copy; a field that its record lacks has
//! its default. `to_node` gives the record as the newest editor writes it: fields that a view does not know are not
//! in it, so a record of a file is edited through its nodes ([`super::edit`]) and not through its view.

mod facts;
mod fields;
mod object;
mod particle_type;
mod places;
mod unit;
mod world;

pub use self::facts::FactText;
pub use self::fields::{NodeCodec, NodeField, View};
pub use self::object::{Lever, MagicTrap, MapObject, ObjectKind, Torch};
pub use self::particle_type::particle_type_name;
pub use self::places::{MapLight, MapParticle, MapSound};
pub use self::unit::{ActionPoint, GuardPoint, Unit, UnitLogic};
pub use self::world::{Folder, IdRange, WorldSettings};
use super::{Diplomacy, Mob, Node, Value, node_id};
use crate::ai_graph::AiGraph;
use ironlands_assets_core::text::decode_cp1251;

impl Mob {
    /// All records that are placed on the map, of whatever kind, in file order.
    pub fn placed(&self) -> impl Iterator<Item = &Node> {
        self.sections(node_id::OBJECTSECTION)
            .flat_map(Node::children)
    }

    /// All objects of the five kinds, in file order.
    pub fn objects(&self) -> Vec<MapObject> {
        self.placed().filter_map(MapObject::from_node).collect()
    }

    /// All lights, in file order.
    pub fn lights(&self) -> Vec<MapLight> {
        self.placed().filter_map(MapLight::from_node).collect()
    }

    /// All sounds, in file order.
    pub fn sounds(&self) -> Vec<MapSound> {
        self.placed().filter_map(MapSound::from_node).collect()
    }

    /// All sources of particles, in file order.
    pub fn particles(&self) -> Vec<MapParticle> {
        self.placed().filter_map(MapParticle::from_node).collect()
    }

    /// The settings of the world, which base maps have.
    pub fn world_settings(&self) -> Option<WorldSettings> {
        self.sections(node_id::WORLD_SET)
            .find_map(WorldSettings::from_node)
    }

    /// Relations of the players.
    pub fn diplomacy(&self) -> Option<&Diplomacy> {
        let mut records = self.sections(node_id::DIPLOMATION);
        let node = records.find_map(|record| record.child(node_id::DIPLOMATION_FOF))?;
        match &node.value {
            Value::Diplomacy(relations) => Some(relations),
            _ => None,
        }
    }

    /// Names of the players, in the order of the relations.
    pub fn player_names(&self) -> Vec<String> {
        let mut records = self.sections(node_id::DIPLOMATION);
        let names = records.find_map(|record| record.child(node_id::DIPLOMATION_PL_NAMES));
        names
            .and_then(|node| node.value.as_texts())
            .unwrap_or_default()
    }

    /// The ranges that numbers of objects lie in: those of base maps, then those of quest maps.
    pub fn id_ranges(&self) -> Vec<IdRange> {
        let sections = self
            .sections(node_id::MAIN_RANGE)
            .chain(self.sections(node_id::SEC_RANGE));
        let nodes = sections.flat_map(Node::children);
        nodes.filter_map(IdRange::from_node).collect()
    }

    /// The folders of the editor.
    pub fn folders(&self) -> Vec<Folder> {
        let sections = self
            .sections(node_id::DIRICTORY)
            .chain(self.sections(node_id::DIRICTORY_ELEMENTS));
        let nodes = sections.flat_map(Node::children);
        nodes.filter_map(Folder::from_node).collect()
    }

    /// The movement graph, which stands in the root or beside it.
    pub fn ai_graph(&self) -> Option<&AiGraph> {
        let beside = self.roots.iter().filter(|node| node.id == node_id::AIGRAPH);
        let mut graphs = self.sections(node_id::AIGRAPH).chain(beside);
        graphs.find_map(|node| match &node.value {
            Value::AiGraph(graph) => Some(&**graph),
            _ => None,
        })
    }

    /// The script of the level; where there is none that is encrypted, the plain one of older maps.
    pub fn script(&self) -> Option<String> {
        let bytes = self.script_bytes()?;
        Some(decode_cp1251(bytes).into_owned())
    }

    /// The same as stored but decrypted: CP1251 with CR LF.
    pub fn script_bytes(&self) -> Option<&[u8]> {
        let encrypted = self
            .sections(node_id::SS_TEXT)
            .find_map(|node| match &node.value {
                Value::Script(script) => Some(script.text.as_slice()),
                _ => None,
            });
        let mut plain = self.sections(node_id::SS_TEXT_OLD);
        encrypted.or_else(|| {
            plain.find_map(|node| match &node.value {
                Value::String(text) => Some(text.as_slice()),
                _ => None,
            })
        })
    }

    /// Whether the map says that it is a base map, and whether that it is a quest map.
    pub fn markers(&self) -> [bool; 2] {
        [node_id::SC_OBJECTDBFILE, node_id::PR_OBJECTDBFILE]
            .map(|id| self.sections(id).next().is_some())
    }

    /// The sections with an id: the children of all roots that have it. For those without a view, as `VSS_SECTION`.
    pub fn sections(&self, id: u32) -> impl Iterator<Item = &Node> {
        self.roots.iter().flat_map(move |root| root.children_of(id))
    }
}
