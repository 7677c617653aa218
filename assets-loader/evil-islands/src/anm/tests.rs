use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read,
};

proof! {
    Anm {
        facts: facts(),
        damage: damage(),
        // The number of offsets may be missing where there are no frames of them.
        truncations: Truncations::ValidIf(|cut| cut == shortest().write().unwrap()),
        values: any_animation(),
        growth: 4,
        runs: 1_000,
        records: facts().iter().map(record).collect::<Vec<_>>(),
        of_bytes: prove_tolerantly_read::<Anm>,
    }
}

/// Two frames of everything, one offset moving in each.
fn moving() -> Anm {
    Anm {
        rotations: vec![[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
        translations: vec![[1.0, 2.0, 0.5], [-1.0, 0.0, 0.0]],
        n_morph_frames: 2,
        n_morphs: Some(1),
        morphs: vec![[0.5, 0.0, 0.0], [0.0, 0.0, -2.0]],
        tail: Vec::new(),
    }
}

/// A rotation alone, cut after the number of morph frames.
fn shortest() -> Anm {
    Anm {
        rotations: vec![[1.0, 0.0, 0.0, 0.0]],
        n_morphs: None,
        ..Anm::default()
    }
}

fn record(fact: &Fact<Anm>) -> RecordPlace {
    let mut anm = fact.value.clone().unwrap();
    RecordPlace::from_walk(&fact.bytes, 0, |c| anm.walk(c))
}

/// Typed from the dossier's table.
fn facts() -> Vec<Fact<Anm>> {
    const ONE: &str = "00 00 80 3F";
    const ZERO: &str = "00 00 00 00";
    let moving_bytes = format!(
        "02 00 00 00 {ONE} {ZERO} {ZERO} {ZERO} {ZERO} {ZERO} {ZERO} {ONE}
         02 00 00 00 {ONE} 00 00 00 40 00 00 00 3F 00 00 80 BF {ZERO} {ZERO}
         02 00 00 00 01 00 00 00 00 00 00 3F {ZERO} {ZERO} {ZERO} {ZERO} 00 00 00 C0"
    );
    let shortest_bytes = format!("01 00 00 00 {ONE} {ZERO} {ZERO} {ZERO} {ZERO} {ZERO}");
    let with_number = Anm {
        n_morphs: Some(21),
        ..shortest()
    };
    let with_number_bytes = format!("{shortest_bytes} 15 00 00 00");
    vec![
        Fact::new("all that there can be", moving(), hex(&moving_bytes)),
        Fact::new("no number of offsets", shortest(), hex(&shortest_bytes)),
        Fact::new("a number, no frames", with_number, hex(&with_number_bytes)),
    ]
}

#[test]
fn offsets_are_those_of_their_frame() {
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
    assert_eq!(moving().n_frames(), 2);
    assert_eq!(moving().morphs_of(0), [[0.5, 0.0, 0.0]]);
    assert_eq!(moving().morphs_of(1), [[0.0, 0.0, -2.0]]);
    assert_eq!(moving().morphs_of(2), [[0.0; 3]; 0]);
    assert_eq!(moving().morphs_of(usize::MAX), [[0.0; 3]; 0]);
}

/// `unmosu` / `cidle` / `r_pereponka` (dossier section 9.6).
#[test]
fn the_membrane_of_a_succubus_has_its_published_size() {
    let frames = vec![vec![[0.0; 3]; 21]; 24];
    let anm = Anm::draft(vec![[1.0, 0.0, 0.0, 0.0]; 24], vec![[0.0; 3]; 24], &frames).unwrap();
    let bytes = anm.write().unwrap();
    assert_eq!(bytes.len(), 6736);
    assert_eq!(Anm::read(&bytes), Ok(anm.clone()));
    let pair = |morph, vertex| MorphComponent { morph, vertex };
    let mut components: Vec<_> = (0..21).map(|it| pair(it, it)).collect();
    components.extend([pair(20, 21), pair(20, 22), pair(20, 23)]);
    assert_eq!(anm.missing_morph(&components), None);
    components[5].morph = 21;
    assert_eq!(anm.missing_morph(&components), Some((5, pair(21, 5))));
}

fn damage() -> Vec<Damage> {
    let good = moving().write().unwrap();
    let rows: [(&'static str, usize, u8, &'static str, u64); 7] = [
        ("more rotations than bytes", 1, 1, "rotation frames", 0),
        ("fewer rotations", 0, 1, "after the morph offsets", 32),
        ("fewer translations", 36, 1, "translation frames", 36),
        (
            "more translations than bytes",
            37,
            1,
            "translation frames",
            36,
        ),
        ("fewer frames of offsets", 64, 1, "morph frames", 64),
        ("more frames of offsets", 64, 3, "morphs in a frame", 68),
        ("more offsets than bytes", 71, 0xFF, "morphs in a frame", 68),
    ];
    let rows = rows.map(|(name, at, byte, field, offset)| {
        let mut bad = good.clone();
        bad[at] = byte;
        Damage::new(name, bad, field, offset)
    });
    let mut damage = rows.to_vec();
    let longer = [&good[..], &[7]].concat();
    let trailing = Damage::new("a byte more", longer, "after the morph offsets", 96);
    damage.push(trailing);
    damage
}

#[test]
fn trailing_bytes_are_waived_by_name_and_kept() {
    let mut longer = moving().write().unwrap();
    longer.push(7);
    let read = Anm::read_with(&longer, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(read.write(), Ok(longer));
}

#[test]
fn numbers_of_frames_may_differ_by_name() {
    let odd = Anm {
        translations: vec![[0.0; 3]; 5],
        ..moving()
    };
    let bytes = odd.write().unwrap();
    assert_eq!(Anm::read(&bytes).unwrap_err().field, "translation frames");
    assert_eq!(Anm::read_with(&bytes, Tolerance::FRAME_COUNTS), Ok(odd));
    let without_translations = Anm {
        translations: Vec::new(),
        ..moving()
    };
    let bytes = without_translations.write().unwrap();
    assert_eq!(Anm::read(&bytes), Ok(without_translations));
}

#[test]
fn contradictions_are_neither_written_nor_drafted() {
    let lost = Anm {
        morphs: Vec::new(),
        ..moving()
    };
    assert_eq!(lost.write().unwrap_err().field, "morph offsets");
    let cut = Anm {
        n_morph_frames: 1,
        ..shortest()
    };
    assert_eq!(cut.write().unwrap_err().field, "morph offsets");
    let turn = || vec![[1.0, 0.0, 0.0, 0.0]; 2];
    let uneven = [vec![[0.0; 3]], vec![]];
    assert_eq!(
        Anm::draft(turn(), vec![], &uneven).unwrap_err().field,
        "morph offsets"
    );
    let short = [vec![[0.0; 3]]];
    assert_eq!(
        Anm::draft(turn(), vec![], &short).unwrap_err().field,
        "morph frames"
    );
    let long = vec![[0.0; 3]; 3];
    assert_eq!(
        Anm::draft(turn(), long, &[]).unwrap_err().field,
        "translation frames"
    );
}

#[test]
fn odd_numbers_are_findings() {
    let mut odd = moving();
    odd.rotations[1] = [1.0; 4];
    odd.morphs[0] = [f32::NAN; 3];
    let reported: Vec<_> = odd.check().into_iter().map(|it| it.message).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(reported[0].contains("frame 1"), "{reported:?}");
    assert_eq!(Anm::default().check().len(), 1, "no frames");
}

prop_compose! {
    /// Floats of any bits, those of no numbers too.
    fn any_animation()(
        rotations in prop::collection::vec(any::<[u32; 4]>(), 0..6),
        n_morphs in 0usize..4,
        has_morphs: bool,
        bits: [u32; 3],
    ) -> Anm {
        let n_frames = rotations.len();
        let vector = bits.map(f32::from_bits);
        let rotations = rotations.into_iter().map(|q| q.map(f32::from_bits)).collect();
        let frames = match has_morphs {
            true => vec![vec![vector; n_morphs]; n_frames],
            false => Vec::new(),
        };
        Anm::draft(rotations, vec![vector; n_frames], &frames).unwrap()
    }
}
