use proptest::prelude::*;

use super::*;
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

/// Where everything of [`small`] stands: state, contact, cost, channel, component, its channel, label, hooks, groups.
const STATE: usize = 128;
const CONTACT: usize = STATE + 156;
const COST: usize = CONTACT + 16;
const CHANNEL: usize = COST + 4;
const COMPONENT: usize = CHANNEL + 36;
const DRIVEN: usize = COMPONENT + 172;
const LABEL: usize = DRIVEN + 8;
const HOOKS: usize = LABEL + 4 + 3;
const GROUP: usize = HOOKS + 84;

proof! {
    Ctld {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_control(),
        growth: 64,
        runs: 1_000,
        records: [
            RecordPlace::from_fields(0, [("state count", 4), ("contact count", 4), ("channel count", 4),
                ("component count", 4), ("group count", 4)]),
            RecordPlace::from_file::<StateRecord>(&small_bytes(), STATE, ()).refused_from(0),
            RecordPlace::from_file::<Contact>(&small_bytes(), CONTACT, ()).refused_from(0),
            RecordPlace::from_file::<ChannelRecord>(&small_bytes(), CHANNEL, Edition::First).refused_from(0),
            RecordPlace::from_file::<ComponentRecord>(&small_bytes(), COMPONENT, Edition::First).refused_from(0),
            RecordPlace::from_file::<Action>(&small_bytes(), GROUP + 4, ()).refused_from(0),
        ],
        also: |control, _| drop(control.hook(ON_LOAD).to_vec()),
    }
}

fn word(value: u32) -> [u8; 4] {
    value.to_le_bytes()
}

/// Floats that are each as large as their offset in the record.
fn floats(range: std::ops::Range<usize>) -> Vec<u8> {
    let floats = range.step_by(4).map(|at| at as f32);
    floats.flat_map(f32::to_le_bytes).collect()
}

fn name(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.resize(32, 0);
    bytes
}

fn three(at: u8) -> [f32; 3] {
    [0, 4, 8].map(|step| f32::from(at + step))
}

/// One of everything.
fn small() -> Ctld {
    let record = StateRecord {
        limit_flags: 0x11,
        flags: 5,
        lean_selectors: [1, 2, 3, 0],
        frame_words: [5, 13, 18, 34],
        blend_base: 28.0,
        step_word: 7,
        velocity_limits: [three(36), three(48)],
        spin_limits: [three(60), three(72)],
        engine_factor: 84.0,
        unknown_58: [0; 14],
        action_group: -1,
        use_count: -1,
        request_code: 2,
    };
    let contact = Contact {
        point: 1,
        flags: 0x101,
        action_group: 0,
        unknown_0c: 0,
    };
    let channel = ChannelRecord {
        node: 2,
        frames: [4.0, 8.0],
        second_frames: [0.0; 2],
        blend: 0.0,
        initial: 12.0,
        points: [-1, 3],
        rate: 24.0,
        span_rad: 28.0,
        flags: 1,
    };
    let component = ComponentRecord {
        class: 2,
        node: 3,
        flags: 0x200_0000,
        action_group: 0,
        working_groups: [-1, -1],
        initial_state: -1,
        mass_kg: 28.0,
        power: 32.0,
        input_weights: [36.0, 40.0],
        unknown_2c: 0,
        values: std::array::from_fn(|idx| 44.0 + 4.0 * idx as f32),
        emits: ObjectRef::new("objects.rlb", "bull").unwrap(),
    };
    let action = Action {
        flags: 0x4000_0000,
        condition_mask: 1,
        condition_inversion: 2,
        action: Action::EFFECT_ON_NODE,
        values: [1, -1, 0, 9],
        unknown_20: 0,
        resource: ObjectRef::new("effects.rlb", "smoke").unwrap(),
    };
    let mut hooks = [-1; N_HOOKS];
    hooks[ON_LOAD] = 0;
    Ctld {
        parameters: Parameters {
            top_speed: [4.0, 0.0, 0.0],
            ..Parameters::default()
        },
        n_contacts: 1,
        states: vec![State {
            record,
            contacts: vec![contact],
        }],
        costs: vec![0.5],
        channels: vec![channel],
        components: vec![Component {
            record: component,
            channels: vec![0],
            label: b"ab\0".to_vec(),
        }],
        hooks,
        groups: vec![vec![action]],
        ..Ctld::default()
    }
}

fn counts(counts: [u32; 5]) -> Vec<u8> {
    counts.into_iter().flat_map(word).collect()
}

fn hooks_bytes(first: u32) -> Vec<u8> {
    let mut bytes = word(first).to_vec();
    bytes.extend([0xFF; 80]);
    bytes
}

pub(crate) fn small_bytes() -> Vec<u8> {
    let mut parameters = vec![0; 108];
    parameters[24..28].copy_from_slice(&4.0_f32.to_le_bytes());
    let none = word(u32::MAX);
    let state = [
        &word(0x11)[..],
        &word(5),
        &[1, 2, 3, 0],
        &word(5),
        &word(13),
        &word(18),
        &word(34),
        &floats(28..32),
        &word(7),
        &floats(36..88),
        &[0; 56],
        &none,
        &none,
        &word(2),
    ];
    let contact = [word(1), word(0x101), word(0), word(0)];
    let channel = [
        &word(2)[..],
        &floats(4..16),
        &none,
        &word(3),
        &floats(24..32),
        &word(1),
    ];
    let component = [
        &word(2)[..],
        &word(3),
        &word(0x200_0000),
        &word(0),
        &none,
        &none,
        &none,
        &floats(28..108),
        &name(b"objects.rlb"),
        &name(b"bull"),
        &word(1),
        &word(0),
        &word(2),
        b"ab\0",
    ];
    let action = [
        &word(0x4000_0000)[..],
        &word(1),
        &word(2),
        &word(3),
        &word(1),
        &none,
        &word(0),
        &word(9),
        &word(0),
        &name(b"effects.rlb"),
        &name(b"smoke"),
    ];
    let parts = [
        counts([1, 1, 1, 1, 1]),
        parameters,
        state.concat(),
        contact.as_flattened().to_vec(),
        0.5_f32.to_le_bytes().to_vec(),
        channel.concat(),
        component.concat(),
        hooks_bytes(0),
        word(1).to_vec(),
        action.concat(),
    ];
    parts.concat()
}

/// The same in the other edition.
pub(crate) fn later() -> (Ctld, Vec<u8>) {
    let mut value = small();
    value.edition = Edition::Later;
    value.channels[0].second_frames = [12.0, 16.0];
    value.channels[0].blend = 20.0;
    value.components[0].record.unknown_2c = 7;
    let mut bytes = small_bytes();
    // From behind, so that offsets stay right.
    bytes.splice(COMPONENT + 44..COMPONENT + 44, word(7));
    bytes.splice(CHANNEL + 12..CHANNEL + 12, floats(12..24));
    (value, bytes)
}

fn facts() -> Vec<Fact<Ctld>> {
    let nothing = [counts([0; 5]), vec![0; 108], hooks_bytes(u32::MAX)].concat();
    assert_eq!(nothing.len(), 212);
    let (later, later_bytes) = later();
    vec![
        Fact::new("nothing", Ctld::default(), nothing),
        Fact::new("one of everything", small(), small_bytes()),
        Fact::new("the later edition", later, later_bytes),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &small_bytes(),
        [
            (|it| it.truncate(100), "unknown_60", 100),
            (|it| set32(it, 0, u32::MAX), "state count", 0),
            (|it| set32(it, 4, u32::MAX), "contact count", 4),
            (|it| set32(it, 8, 1 << 20), "channel count", 8),
            (|it| set32(it, 12, 1 << 20), "component count", 12),
            (|it| set32(it, 16, 1 << 20), "group count", 16),
            (
                |it| set32(it, DRIVEN, 1 << 20),
                "driven channel count",
                DRIVEN as u64,
            ),
            (|it| set32(it, LABEL, 1 << 20), "label length", LABEL as u64),
            (|it| set32(it, GROUP, 2), "action count", GROUP as u64),
            (
                |it| set32(it, GROUP, 0),
                "after the last group",
                GROUP as u64 + 4,
            ),
        ],
    )
}

#[test]
fn what_an_edition_or_a_count_has_no_place_for_is_not_written() {
    let refused = |change: fn(&mut Ctld)| {
        let mut control = small();
        change(&mut control);
        control.write().unwrap_err().field.into_owned()
    };
    assert_eq!(refused(|it| it.n_contacts = 2), "contact count");
    assert_eq!(refused(|it| it.costs.push(1.0)), "cost");
    assert_eq!(refused(|it| it.channels[0].blend = 1.0), "second frames");
    let with_word = |it: &mut Ctld| it.components[0].record.unknown_2c = 1;
    assert_eq!(refused(with_word), "unknown_2c");
    assert_eq!(
        refused(|it| it.components[0].label = vec![0]),
        "label length"
    );
}

#[test]
fn a_hook_leads_to_its_actions() {
    let control = small();
    assert_eq!(control.hook(ON_LOAD).len(), 1);
    assert_eq!((control.hook(1), control.hook(99)), (&[][..], &[][..]));
}

#[test]
fn indices_that_lead_nowhere_are_found() {
    assert_eq!(small().check(), []);
    let mut bad = small();
    bad.hooks[2] = 1;
    bad.states[0].record.action_group = -2;
    bad.components[0].record.class = 31;
    bad.components[0].channels = vec![1, -1];
    bad.groups[0][0].action = 0x30;
    let severities: Vec<_> = bad.check().iter().map(|it| it.severity).collect();
    use Severity::{Note, Warning};
    let expected = [Warning, Warning, Note, Warning, Warning, Note];
    assert_eq!(severities, expected, "{:#?}", bad.check());
}

/// A record of noise.
fn noisy<R: Record>(layout: R::Layout, noise: &mut impl Iterator<Item = u8>) -> R {
    let bytes: Vec<u8> = noise.take(R::size(layout)).collect();
    R::read(&mut Reader::new(FORMAT, &bytes), layout).unwrap()
}

prop_compose! {
    fn any_control()(
        seed in any::<u64>(),
        sizes in any::<[u8; 6]>(),
        is_later in any::<bool>(),
    ) -> Ctld {
        let mut rng = ironlands_assets_proof::Rng::new(seed);
        let mut noise = std::iter::from_fn(|| Some(rng.next_u64() as u8));
        let [n_states, n_contacts, n_channels, n_components, n_groups, n_driven] =
            sizes.map(|it| usize::from(it % 3));
        let edition = if is_later { Edition::Later } else { Edition::First };
        // Without any both editions are alike.
        let n_channels = n_channels.max(usize::from(is_later));
        let noise = &mut noise;
        let parameters = noisy((), noise);
        let states = (0..n_states).map(|_| State {
            record: noisy((), noise),
            contacts: (0..n_contacts).map(|_| noisy((), noise)).collect(),
        }).collect();
        let channels = (0..n_channels).map(|_| noisy(edition, noise)).collect();
        let components = (0..n_components).map(|_| Component {
            record: noisy(edition, noise),
            channels: (0..n_driven as i32).collect(),
            label: if n_driven == 0 { Vec::new() } else { noise.take(n_driven + 1).collect() },
        }).collect();
        let groups = (0..n_groups).map(|_| (0..n_driven).map(|_| noisy((), noise)).collect()).collect();
        Ctld {
            edition,
            parameters,
            n_contacts: n_contacts as u32,
            states,
            costs: vec![1.5; n_states * n_states],
            channels,
            components,
            groups,
            ..Ctld::default()
        }
    }
}
