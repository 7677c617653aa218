//! How levels and models are opened.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

/// How levels and models are opened where their files leave a choice: what all worlds share, and the options of each
/// world by their type.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// Folders and archives of a game, for what a level names and does not bring.
    pub assets: Vec<PathBuf>,
    of_worlds: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl OpenOptions {
    /// The defaults of all worlds, with folders and archives of a game.
    pub fn from_assets(assets: Vec<PathBuf>) -> Self {
        Self {
            assets,
            ..Self::default()
        }
    }

    /// The same with the options of one world in place of those that it had.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, of_world: T) -> Self {
        self.of_worlds.insert(TypeId::of::<T>(), Arc::new(of_world));
        self
    }

    /// The options of one world; the default if it has none.
    pub fn for_world<T: Clone + Default + 'static>(&self) -> T {
        let options = self.of_worlds.get(&TypeId::of::<T>());
        let options = options.and_then(|options| options.downcast_ref::<T>());
        options.cloned().unwrap_or_default()
    }
}

impl std::fmt::Debug for OpenOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fields = &mut f.debug_struct("OpenOptions");
        fields.field("assets", &self.assets).finish_non_exhaustive()
    }
}

/// A world without options of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct NoOptions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_world_has_its_own_options() {
        let options = OpenOptions::default().with(3_u32).with(true).with(4_u32);
        assert_eq!(options.for_world::<u32>(), 4);
        assert!(options.for_world::<bool>());
        assert_eq!(options.for_world::<u64>(), 0, "the default");
    }
}
