//! The figures of the island, as their files have them.

use ironlands_assets_evil_islands::figure::Figure;
use ironlands_assets_evil_islands::zone::Zone;

use super::{game, members, zone};

fn figure(zone: &'static Zone, name: &str) -> &'static Figure {
    &zone.figures[name]
}

#[test]
fn every_figure_opens_and_is_whole() {
    let names: Vec<String> = members("Res/figures.res")
        .into_iter()
        .filter_map(|(name, _)| Some(name.strip_suffix(".mod")?.to_owned()))
        .collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let figure =
            Figure::open(&game().join("Res/figures.res").join(format!("{name}.mod"))).unwrap();
        assert!(figure.findings.is_empty(), "{name}: {:#?}", figure.findings);
        for part in &figure.parts {
            let fig = part.fig.as_ref().unwrap();
            assert!(
                fig.check().is_empty(),
                "{name} {}: {:#?}",
                part.name,
                fig.check()
            );
            assert_eq!(fig.states.len(), 8, "{name} {}", part.name);
            assert_eq!(part.bon.as_ref().unwrap().offsets.len(), 8);
        }
        for animation in &figure.animations {
            for (part, anm) in figure.parts.iter().zip(&animation.parts) {
                let anm = anm.as_ref().unwrap();
                assert!(anm.check().is_empty(), "{name} {}", animation.name);
                let morphs = &part.fig.as_ref().unwrap().morphs;
                assert_eq!(anm.missing_morph(morphs), None, "{name} {}", part.name);
            }
        }
    }
}

/// The lowest and the highest point of the human at rest, without what it carries.
fn extent(figure: &Figure, complection: [f32; 3]) -> [f32; 2] {
    let positions = figure.rest_positions(complection);
    let mut extent = [f32::MAX, f32::MIN];
    for (part, position) in figure.parts.iter().zip(positions) {
        let fig = part.fig.as_ref().unwrap();
        if part.name.contains("sword") {
            continue;
        }
        for vertex in fig.components.iter().map(|it| usize::from(it.position)) {
            let z = position[2] + fig.position(vertex, complection)[2];
            extent = [extent[0].min(z), extent[1].max(z)];
        }
    }
    extent
}

#[test]
fn human_grows_and_stands_on_the_ground() {
    let human = figure(zone(), "unhuma");
    for part in [
        "hp",
        "bd",
        "hd",
        "lh1",
        "lh2",
        "lh3",
        "rh3",
        "ll3",
        "rl1",
        "rh3.sword",
    ] {
        assert!(human.part(part).is_some(), "{part}");
    }
    let heights: Vec<f32> = [0.0, 0.5, 1.0]
        .into_iter()
        .map(|tall| {
            let [low, high] = extent(human, [0.5, 0.5, tall]);
            assert!(low.abs() < 0.02, "the soles of {tall} are at {low}");
            high
        })
        .collect();
    assert!(heights[0] > 1.2 && heights[0] < 1.5, "a child: {heights:?}");
    assert!(heights[1] > 1.7 && heights[1] < 1.9, "{heights:?}");
    assert!(heights[2] > 2.0 && heights[2] < 2.3, "{heights:?}");
    let names: Vec<&str> = human.animations.iter().map(|it| &it.name[..]).collect();
    assert_eq!(
        names,
        ["cidle", "cwalk01", "crun01", "uattack01", "udeath06"]
    );
    let cape = human.part("bd.cape").unwrap();
    let walk = human.animations[1].parts[cape].as_ref().unwrap();
    assert!(!walk.morphs.is_empty(), "the cape moves by its points");
}

#[test]
fn chest_opens_by_strength() {
    let chest = figure(zone(), "stst01");
    let lid = chest.part("lid").unwrap();
    let fig = chest.parts[lid].fig.as_ref().unwrap();
    let highest = |strength: f32| {
        let vertices = 0..fig.n_vertices();
        let heights = vertices.map(|it| fig.position(it, [0.5, strength, 0.5])[2]);
        heights.fold(f32::MIN, f32::max)
    };
    assert!(highest(0.0) < 0.25 && highest(1.0) > 0.5);
}
