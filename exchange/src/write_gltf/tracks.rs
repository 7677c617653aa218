//! Animations: channels and their samplers.

use gltf_json::accessor::Accessor;
use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::extras::Extras;
use gltf_json::scene::Node;
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};

/// The channels of one animation while they gather; straight lines lie between their keys.
#[derive(Debug, Default)]
pub struct Tracks {
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
}

impl Tracks {
    /// Adds a channel: what becomes of a property of a node, by accessors of times and of values.
    pub fn push(
        &mut self,
        node: Index<Node>,
        path: Property,
        input: Index<Accessor>,
        output: Index<Accessor>,
    ) {
        let sampler = Sampler {
            input,
            output,
            interpolation: Checked::Valid(Interpolation::Linear),
            extensions: None,
            extras: None,
        };
        let target = Target {
            node,
            path: Checked::Valid(path),
            extensions: None,
            extras: None,
        };
        self.channels.push(Channel {
            sampler: Index::push(&mut self.samplers, sampler),
            target,
            extensions: None,
            extras: None,
        });
    }

    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// Adds the animation to the document.
    pub fn finish(self, name: &str, extras: Extras, root: &mut Root) {
        root.push(Animation {
            name: Some(name.to_owned()),
            channels: self.channels,
            samplers: self.samplers,
            extensions: None,
            extras,
        });
    }
}
