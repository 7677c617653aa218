//! The list of all worlds of this repository: one line each. Nothing else names them all.

pub use ironlands_world_kind as kind;
use ironlands_world_kind::{AnyWorldKind, Registry};

macro_rules! worlds {
    ($($(#[$doc:meta])* $name:ident = $krate:ident::$kind:ident;)*) => {
        $($(#[$doc])* pub use $krate as $name;)*

        /// All of them. A program that knows another world adds it with [`Registry::with`].
        pub fn registry() -> Registry {
            Registry::new([$(&$krate::$kind as &'static dyn AnyWorldKind),*])
        }
    };
}

worlds! {
    parkan = ironlands_world_parkan::Parkan;
    source = ironlands_world_source::Source;
    evil_islands = ironlands_world_evil_islands::EvilIslands;
    lineage2 = ironlands_world_lineage2::Lineage2;
}
