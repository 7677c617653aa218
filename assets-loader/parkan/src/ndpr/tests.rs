use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

proof! {
    Ndpr {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_nodes(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::new::<NodeDamage>(4, ()).refused_from(0)],
    }
}

fn hull() -> NodeDamage {
    NodeDamage {
        flag_bits: 0x21,
        hit_points: 200.0,
        density: 0.5,
        explosion: ObjectRef::new("ex.rlb", "e.exp").unwrap(),
    }
}

fn wall() -> NodeDamage {
    NodeDamage {
        flag_bits: 0,
        hit_points: 1_000_000.0,
        density: 1.0,
        explosion: ObjectRef::new("", "").unwrap(),
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0];
    bytes.extend([0x21, 0, 0, 0, 0, 0, 0x48, 0x43, 0, 0, 0, 0x3F]);
    bytes.extend(b"ex.rlb");
    bytes.resize(4 + 12 + 32, 0);
    bytes.extend(b"e.exp");
    bytes.resize(4 + 76, 0);
    bytes.extend([0, 0, 0, 0, 0, 0x24, 0x74, 0x49, 0, 0, 0x80, 0x3F]);
    bytes.resize(4 + 2 * 76, 0);
    bytes
}

fn two() -> Ndpr {
    Ndpr {
        nodes: vec![hull(), wall()],
    }
}

fn facts() -> Vec<Fact<Ndpr>> {
    vec![
        Fact::new("nothing", Ndpr::default(), [0; 4]),
        Fact::new("two nodes", two(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 0, 3), "node count", 0),
            (|it| set32(it, 0, 1), "after the last node", 4 + 76),
            (|it| it.push(0), "after the last node", 4 + 2 * 76),
        ],
    )
}

#[test]
fn nodes_say_what_they_endure() {
    let flags = hull().flags();
    assert_eq!(flags, NodeFlags::VITAL | NodeFlags::LEFT_GEAR);
    assert!(wall().is_indestructible() && !hull().is_indestructible());
    let expected = "200 hit points, vital, density 0.5, explodes as \"e.exp\"";
    assert_eq!(hull().summary(), expected);
    assert_eq!(
        wall().summary(),
        "indestructible, density 1, explodes as \"\""
    );
}

#[test]
fn what_no_known_file_has_is_found_at_its_node() {
    assert_eq!(two().check(), []);
    let mut bad = two();
    bad.nodes[0].hit_points = -1.0;
    bad.nodes[1].explosion = ObjectRef::new("", "e.exp").unwrap();
    let found: Vec<_> = bad.check().iter().map(|it| it.offset).collect();
    assert_eq!(found, [Some(4), Some(80)]);
}

prop_compose! {
    fn any_node()(
        flag_bits in any::<u32>(),
        [hit_points, density] in any::<[f32; 2]>(),
        [archive_field, resource_field] in any::<[[u8; 32]; 2]>(),
    ) -> NodeDamage {
        let explosion = ObjectRef { archive_field, resource_field };
        NodeDamage { flag_bits, hit_points, density, explosion }
    }
}

prop_compose! {
    fn any_nodes()(nodes in prop::collection::vec(any_node(), 0..4)) -> Ndpr {
        Ndpr { nodes }
    }
}
