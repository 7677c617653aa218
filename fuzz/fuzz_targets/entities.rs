//! Entities of Source maps: what is read is written back byte for byte, and what is edited is read as it was meant.
#![no_main]

use ironlands_assets_source::entities::{Entities, EntitySyntax};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for syntax in [EntitySyntax::Plain, EntitySyntax::Escapes] {
        let Ok(entities) = Entities::read(data, syntax) else {
            continue;
        };
        assert_eq!(entities.write().as_deref(), Ok(data));
        entities.check();
        let mut edited = entities.clone();
        for entity in &mut edited.entities {
            entity.outputs();
            entity.light_direction();
            entity.push("edited", "1");
        }
        let text = edited.write().expect("what was read has no quotes without escapes");
        assert_eq!(Entities::read(&text, syntax).as_ref(), Ok(&edited));
    }
});
