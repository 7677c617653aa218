//! Fresh maps.
//!
//! Document: Evil Islands dossier, sections 11.1, 11.7 and 11.9: what the newest editor writes, in its order.

use super::edit::EditError;
use super::value::PLAYERS;
use super::view::{
    Folder, IdRange, MapLight, MapObject, MapParticle, MapSound, NodeField, View, WorldSettings,
};
use super::{Diplomacy, Mob, Node, Script, Value, node_id};
use crate::ai_graph::AiGraph;

/// All that a fresh map holds.
#[derive(Debug, Clone, PartialEq)]
pub struct MobDraft {
    /// What the map is for.
    pub role: MapRole,
    /// The script; line ends become CR LF.
    pub script: String,
    /// What the script is encrypted with; any number works.
    pub script_key: u32,
    /// Where numbers of objects may lie.
    pub ranges: Vec<IdRange>,
    /// Relations of the players.
    pub diplomacy: Box<Diplomacy>,
    /// Names of the players.
    pub player_names: Vec<String>,
    /// Folders of the editor.
    pub folders: Vec<Folder>,
    /// Objects of the five kinds.
    pub objects: Vec<MapObject>,
    /// Lights.
    pub lights: Vec<MapLight>,
    /// Sounds.
    pub sounds: Vec<MapSound>,
    /// Sources of particles.
    pub particles: Vec<MapParticle>,
    /// The movement graph, which stands behind the root.
    pub ai_graph: Option<AiGraph>,
}

/// What a map is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MapRole {
    /// The zone itself, with its weather and light.
    Base(WorldSettings),
    /// What a quest adds to a zone.
    Quest,
}

impl MobDraft {
    /// An empty map: players `Player-0` to `Player-31` without relations, and no range.
    pub fn new(role: MapRole) -> Self {
        Self {
            role,
            script: String::new(),
            script_key: 1,
            ranges: Vec::new(),
            diplomacy: Box::new([[0; PLAYERS]; PLAYERS]),
            player_names: (0..PLAYERS).map(|idx| format!("Player-{idx}")).collect(),
            folders: Vec::new(),
            objects: Vec::new(),
            lights: Vec::new(),
            sounds: Vec::new(),
            particles: Vec::new(),
            ai_graph: None,
        }
    }

    /// The map.
    ///
    /// # Errors
    /// Text with characters that CP1251 lacks.
    pub fn build(&self) -> Result<Mob, EditError> {
        let (marker, range_id) = match self.role {
            MapRole::Base(_) => (node_id::SC_OBJECTDBFILE, node_id::MAIN_RANGE),
            MapRole::Quest => (node_id::PR_OBJECTDBFILE, node_id::SEC_RANGE),
        };
        let record = |id, nodes| Node::new(id, Value::Record(nodes));
        let mut script = Script {
            key: self.script_key,
            text: Vec::new(),
        };
        script.set_text(&self.script)?;
        let mut nodes = vec![
            Node::new(marker, Value::Null),
            Node::new(node_id::SS_TEXT, Value::Script(script)),
            record(range_id, records(&self.ranges)?),
            record(node_id::DIPLOMATION, self.relations()?),
        ];
        if let MapRole::Base(settings) = &self.role {
            nodes.push(settings.to_node()?);
        }
        nodes.push(record(node_id::VSS_SECTION, Vec::new()));
        nodes.push(record(node_id::DIRICTORY, records(&self.folders)?));
        nodes.push(record(node_id::DIRICTORY_ELEMENTS, Vec::new()));
        nodes.push(record(node_id::OBJECTSECTION, self.placed()?));
        let mut roots = vec![record(node_id::OBJECTDBFILE, nodes)];
        let graph = self
            .ai_graph
            .clone()
            .map(|graph| Value::AiGraph(Box::new(graph)));
        roots.extend(graph.map(|graph| Node::new(node_id::AIGRAPH, graph)));
        Ok(Mob {
            roots,
            ..Mob::default()
        })
    }

    fn relations(&self) -> Result<Vec<Node>, EditError> {
        let id = node_id::DIPLOMATION_PL_NAMES;
        let names = self.player_names.to_value(id)?;
        let relations = Value::Diplomacy(self.diplomacy.clone());
        let relations = Node::new(node_id::DIPLOMATION_FOF, relations);
        let names = names.map(|names| Node::new(id, names));
        Ok([relations].into_iter().chain(names).collect())
    }

    fn placed(&self) -> Result<Vec<Node>, EditError> {
        let lights = records(&self.lights)?;
        let sounds = records(&self.sounds)?;
        Ok([
            records(&self.objects)?,
            lights,
            sounds,
            records(&self.particles)?,
        ]
        .concat())
    }
}

fn records<V: View>(views: &[V]) -> Result<Vec<Node>, EditError> {
    views.iter().map(View::to_node).collect()
}
