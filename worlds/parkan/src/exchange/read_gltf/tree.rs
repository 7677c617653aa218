//! Which nodes become nodes of the model, in which order, and which only hold pieces.

use gltf_json::scene::Node;
use gltf_json::{Index, Root};
use ironlands_exchange::read_gltf::{
    Document, Residual, Tops, Transform, Z_UP_FROM_Y_UP, check_parents, taken_tops,
};
use ironlands_exchange::{Findings, ImportError, from_extras};

use super::super::extras::{NodeExtras, PieceExtras, RootExtras};

/// A node of the model.
pub(super) struct TreeNode {
    /// Its index in the file.
    pub(super) index: usize,
    /// Place in the list; before this one.
    pub(super) parent: Option<usize>,
    /// In the space that its parent's children are in.
    pub(super) local: Transform,
    /// What `local` has to be seen through: the turn of the axes above a root, the residual of the parent.
    pub(super) above: Above,
    /// Node from its own vertices.
    pub(super) baked: Residual,
    pub(super) extras: Option<NodeExtras>,
}

/// The transform between a node and the rigid part of its parent.
#[derive(Clone, Copy)]
pub(super) struct Above {
    pub(super) turn: glam::DQuat,
    pub(super) residual: Residual,
}

/// A node that shows a piece of another.
pub(super) struct Holder {
    pub(super) index: usize,
    pub(super) extras: PieceExtras,
}

/// The nodes of the model, parents before children, and everything else that has a meaning.
pub(super) struct Tree {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) holders: Vec<Holder>,
    pub(super) root_extras: Option<RootExtras>,
}

impl Tree {
    /// The nodes below the default scene, and the holders of all scenes.
    pub(super) fn read(
        document: &Document<'_>,
        is_animated: &dyn Fn(usize) -> bool,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let root = &document.root;
        check_parents(root)?;
        let kinds = Kinds::new(root);
        let mut tree = Self {
            nodes: Vec::new(),
            holders: holders(root),
            root_extras: None,
        };
        let tops = taken_tops(document, findings)?;
        name_other_scenes(root, &tops, &kinds, findings);
        // Reversed, so that the first is on top.
        let mut waiting: Vec<Waiting> = Vec::new();
        for top in tops.nodes.iter().rev() {
            tree.push_top(document, *top, &kinds, is_animated, &mut waiting)?;
        }
        while let Some(next) = waiting.pop() {
            if !kinds.is_holder(next.index) {
                tree.push_node(document, next, &mut waiting)?;
            }
        }
        tree.restore_order();
        Ok(tree)
    }

    /// A node of the model; its children wait.
    fn push_node(
        &mut self,
        document: &Document<'_>,
        next: Waiting,
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), ImportError> {
        let Waiting {
            index,
            parent,
            above,
        } = next;
        let node = document.get(index, "nodes")?;
        let local = Transform::from_node(node, &format!("nodes[{index}]"))?;
        let baked = local.turned(above.turn).below(&above.residual).residual;
        let position = self.nodes.len();
        self.nodes.push(TreeNode {
            index: index.value(),
            parent,
            local,
            above,
            baked,
            extras: from_extras(&node.extras),
        });
        let above = Above {
            turn: glam::DQuat::IDENTITY,
            residual: baked,
        };
        let children = node.children.iter().flatten().rev();
        waiting.extend(children.map(|child| Waiting {
            index: *child,
            parent: Some(position),
            above,
        }));
        Ok(())
    }

    /// A node of the scene: itself, or its children where it does nothing but turn the axes or gather holders.
    fn push_top(
        &mut self,
        document: &Document<'_>,
        top: Index<Node>,
        kinds: &Kinds,
        is_animated: &dyn Fn(usize) -> bool,
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), ImportError> {
        let node = document.get(top, "scenes")?;
        let place = format!("nodes[{top}]");
        let turned = Transform::from_node(node, &place)?.turned(Z_UP_FROM_Y_UP);
        let children = || node.children.iter().flatten();
        if kinds.has_only_holders(top) && node.mesh.is_none() {
            return Ok(());
        }
        let is_bare =
            node.mesh.is_none() && children().next().is_some() && !is_animated(top.value());
        let (tops, turn): (Vec<Index<Node>>, _) = match is_bare && turned.is_identity() {
            true => {
                let extras: Option<RootExtras> = from_extras(&node.extras);
                self.root_extras = self.root_extras.take().or(extras);
                (children().copied().collect(), glam::DQuat::IDENTITY)
            }
            false => (vec![top], Z_UP_FROM_Y_UP),
        };
        waiting.extend(tops.iter().rev().map(|index| Waiting {
            index: *index,
            parent: None,
            above: Above {
                turn,
                residual: Residual::IDENTITY,
            },
        }));
        Ok(())
    }

    /// The order that the nodes had in a model, if they were written from one and parents still come first.
    fn restore_order(&mut self) {
        let Some(numbers) = (self.nodes.iter())
            .map(|node| node.extras.as_ref().map(|extras| extras.msh_node))
            .collect::<Option<Vec<u32>>>()
        else {
            return;
        };
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|position| numbers.get(*position));
        let mut place_of = vec![0; order.len()];
        for (place, position) in order.iter().enumerate() {
            if let Some(slot) = place_of.get_mut(*position) {
                *slot = place;
            }
        }
        let new_parent = |node: &TreeNode| node.parent.and_then(|it| place_of.get(it).copied());
        let is_sound = (self.nodes.iter().zip(&place_of))
            .all(|(node, place)| new_parent(node).is_none_or(|parent| parent < *place));
        if !is_sound {
            return;
        }
        let parents: Vec<Option<usize>> = self.nodes.iter().map(new_parent).collect();
        let mut placed: Vec<(usize, TreeNode)> =
            place_of.into_iter().zip(self.nodes.drain(..)).collect();
        for ((_, node), parent) in placed.iter_mut().zip(parents) {
            node.parent = parent;
        }
        placed.sort_by_key(|(place, _)| *place);
        self.nodes = placed.into_iter().map(|(_, node)| node).collect();
    }
}

/// Scenes that are neither the model nor hold its pieces.
fn name_other_scenes(root: &Root, taken: &Tops, kinds: &Kinds, findings: &mut Findings) {
    for (index, scene) in root.scenes.iter().enumerate() {
        let is_ours = scene.nodes.iter().all(|top| kinds.has_only_holders(*top));
        if taken.scene.is_none_or(|taken| taken.value() != index) && !is_ours {
            findings.add(format!("scenes[{index}]"), "only one scene is taken");
        }
    }
}

/// What nodes are, found out once.
struct Kinds {
    is_holder: Vec<bool>,
    has_only_holders: Vec<bool>,
}

impl Kinds {
    fn new(root: &Root) -> Self {
        let nodes = root.nodes.iter();
        let is_holder = nodes
            .clone()
            .map(|node| from_extras::<PieceExtras>(&node.extras).is_some());
        let mut kinds = Self {
            is_holder: is_holder.collect(),
            has_only_holders: Vec::new(),
        };
        let has_only_holders = nodes.map(|node| {
            let mut children = node.children.iter().flatten().peekable();
            children.peek().is_some() && children.all(|child| kinds.is_holder(*child))
        });
        kinds.has_only_holders = has_only_holders.collect();
        kinds
    }

    fn is_holder(&self, node: Index<Node>) -> bool {
        self.is_holder.get(node.value()).is_some_and(|it| *it)
    }

    /// Whether there are children, and all are holders.
    fn has_only_holders(&self, node: Index<Node>) -> bool {
        self.has_only_holders
            .get(node.value())
            .is_some_and(|it| *it)
    }
}

/// A node that is still to be visited.
struct Waiting {
    index: Index<Node>,
    parent: Option<usize>,
    above: Above,
}

fn holders(root: &Root) -> Vec<Holder> {
    let nodes = root.nodes.iter().enumerate();
    let holder = |(index, node): (usize, &Node)| {
        let extras = from_extras(&node.extras)?;
        Some(Holder { index, extras })
    };
    nodes.filter_map(holder).collect()
}
