//! Light of detail props.

use super::*;

proof! {
    DetailLights {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_lights(),
        growth: 64,
        runs: 1_000,
        records: [RecordPlace::from_value(&hand_typed(), &typed().lights[1], ())],
    }
}

fn typed() -> DetailLights {
    let light = |lighting, style| DetailLight { lighting, style };
    DetailLights {
        lights: vec![light([1, 2, 3, 0xFE], 0), light([40, 50, 60, 1], 11)],
    }
}

fn hand_typed() -> Vec<u8> {
    hex("02 00 00 00  01 02 03 FE 00  28 32 3C 01 0B")
}

fn facts() -> Vec<Fact<DetailLights>> {
    vec![
        Fact::new("two", typed(), hand_typed()),
        Fact::new("none", DetailLights::default(), hex("00 00 00 00")),
    ]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 2] = [
        (|d| set32(d, 0, 3), "light count", 0),
        (|d| d.push(0), "after the last light", 14),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

fn any_lights() -> impl Strategy<Value = DetailLights> {
    let lights = prop::collection::vec(any::<([u8; 4], u8)>(), 0..5);
    lights.prop_map(|lights| DetailLights {
        lights: lights
            .into_iter()
            .map(|(lighting, style)| DetailLight { lighting, style })
            .collect(),
    })
}
