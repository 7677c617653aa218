//! What lists hold, and in which order.

use ironlands_scene::MaterialIdx;

use super::*;

fn batch(first_index: u32, n_indices: u32) -> Batch {
    Batch {
        first_index,
        n_indices,
        material: MaterialIdx(0),
    }
}

fn pass(kind: PassKind, layer: usize, pipeline: usize, pass: usize) -> PassOrder {
    PassOrder {
        kind,
        layer,
        pipeline,
        pass,
        bent: None,
        core: None,
        depth: None,
    }
}

/// In world space, at a distance of 1.
const IN_WORLD: Placing<'_> = Placing {
    first_slot: None,
    distances_sq: &[1.0],
};

#[test]
fn kinds_come_before_layers_and_layers_before_pipelines() {
    let mut list = DrawList::default();
    let two_decals = [
        pass(PassKind::Base, 0, 5, 0),
        pass(PassKind::Decal, 0, 9, 1),
        pass(PassKind::Decal, 1, 1, 2),
    ];
    let water = [pass(PassKind::Water, 0, 0, 3)];
    list.push(0, &batch(0, 3), IN_WORLD, &water, &Switches::default());
    list.push(0, &batch(6, 3), IN_WORLD, &two_decals, &Switches::default());
    list.push(
        0,
        &batch(30, 3),
        IN_WORLD,
        &two_decals,
        &Switches::default(),
    );
    list.finish(true);
    let order: Vec<_> = PassKind::ALL
        .into_iter()
        .flat_map(|kind| {
            list.of_kind(kind)
                .iter()
                .map(|item| (item.pass, item.first_index))
        })
        .collect();
    assert_eq!(
        order,
        [(0, 6), (0, 30), (1, 6), (1, 30), (2, 6), (2, 30), (3, 0)]
    );
}

#[test]
fn neighboring_runs_become_one_call_and_others_do_not() {
    let mut list = DrawList::default();
    let base = [pass(PassKind::Base, 0, 0, 0)];
    let other = [pass(PassKind::Base, 0, 0, 1)];
    list.push(0, &batch(6, 3), IN_WORLD, &base, &Switches::default());
    list.push(0, &batch(0, 6), IN_WORLD, &base, &Switches::default());
    list.push(0, &batch(12, 3), IN_WORLD, &base, &Switches::default());
    list.push(1, &batch(15, 3), IN_WORLD, &base, &Switches::default());
    list.push(0, &batch(9, 3), IN_WORLD, &other, &Switches::default());
    list.push(0, &batch(9, 0), IN_WORLD, &base, &Switches::default());
    list.finish(true);
    let drawn: Vec<_> = list
        .of_kind(PassKind::Base)
        .iter()
        .map(|item| (item.pass, item.mesh, item.first_index, item.n_indices))
        .collect();
    assert_eq!(
        drawn,
        [(0, 0, 0, 9), (0, 0, 12, 3), (0, 1, 15, 3), (1, 0, 9, 3)]
    );
    assert_eq!((list.n_draw_calls(), list.n_triangles()), (4, 6));
}

#[test]
fn what_lies_within_soft_edges_is_drawn_before_all_edges() {
    let leaves = |pass_idx, core| PassOrder {
        core: Some(core),
        ..pass(PassKind::SoftEdged, 0, 1, pass_idx)
    };
    let oak = [leaves(0, 2)];
    let birch = [leaves(1, 2)];
    let mut list = DrawList::default();
    let on = Switches::default();
    list.push(0, &batch(0, 3), IN_WORLD, &oak, &on);
    list.push(1, &batch(0, 3), IN_WORLD, &birch, &on);
    list.finish(true);
    let drawn = |kind| -> Vec<_> {
        let items = list.of_kind(kind).iter();
        items.map(|item| (item.pipeline, item.pass)).collect()
    };
    assert_eq!(drawn(PassKind::Base), [(2, 0), (2, 1)]);
    assert_eq!(drawn(PassKind::SoftEdged), [(1, 0), (1, 1)]);
    assert_eq!(DrawList::n_triangles_of(&batch(0, 3), &oak, &on), 2);
}

type TurnOff = fn(&mut Switches);

#[test]
fn a_switch_turns_off_its_kind_alone() {
    let all = PassKind::ALL.map(|kind| pass(kind, 0, 0, kind as usize));
    let kinds_with = |switches: &Switches| -> Vec<PassKind> {
        let mut list = DrawList::default();
        list.push(0, &batch(0, 3), IN_WORLD, &all, switches);
        list.finish(true);
        PassKind::ALL
            .into_iter()
            .filter(|kind| !list.of_kind(*kind).is_empty())
            .collect()
    };
    let all_on = Switches::default();
    assert_eq!(kinds_with(&all_on), PassKind::ALL);
    let without: [(PassKind, TurnOff); 4] = [
        (PassKind::Decal, |switches| switches.decal = false),
        (PassKind::Lightmap, |switches| switches.lightmap = false),
        (PassKind::Detail, |switches| switches.detail = false),
        (PassKind::Water, |switches| switches.water = false),
    ];
    for (kind, turn_off) in without {
        let mut switches = all_on;
        turn_off(&mut switches);
        let mut others = PassKind::ALL.to_vec();
        others.retain(|other| *other != kind);
        assert_eq!(kinds_with(&switches), others);
    }
}

/// A list of one batch of three triangles on nodes at these distances from the camera.
fn instanced(passes: &[PassOrder], nodes: &[u32], distances_sq: &[f32]) -> DrawList {
    let mut list = DrawList::default();
    let placing = Placing {
        first_slot: Some(list.add_slots(nodes)),
        distances_sq,
    };
    list.push(0, &batch(0, 9), placing, passes, &Switches::default());
    list
}

/// Pass, first index, and the nodes of its instances, for each item of a kind.
fn drawn(list: &DrawList, kind: PassKind) -> Vec<(usize, u32, Vec<u32>)> {
    let nodes = |item: &DrawItem| {
        let Range { start, end } = item.instances();
        list.nodes()[start as usize..end as usize].to_vec()
    };
    list.of_kind(kind)
        .iter()
        .map(|item| (item.pass, item.first_index, nodes(item)))
        .collect()
}

#[test]
fn many_instances_are_one_call() {
    let base = [pass(PassKind::Base, 0, 0, 0)];
    let mut list = instanced(&base, &[7, 3, 5], &[1.0, 2.0, 3.0]);
    list.finish(true);
    assert_eq!(drawn(&list, PassKind::Base), [(0, 0, vec![7, 3, 5])]);
    assert_eq!((list.n_draw_calls(), list.n_triangles()), (1, 9));
}

#[test]
fn runs_behind_each_other_join_only_in_the_same_places() {
    let base = [pass(PassKind::Base, 0, 0, 0)];
    let mut list = DrawList::default();
    let slots = list.add_slots(&[7, 8, 9, 10]);
    for (first_index, first_slot) in [(0, 0), (3, 0), (6, 2), (9, 2), (12, 1)] {
        let placing = Placing {
            first_slot: Some(slots + first_slot),
            distances_sq: &[1.0, 1.0],
        };
        let batch = batch(first_index, 3);
        list.push(0, &batch, placing, &base, &Switches::default());
    }
    list.push(0, &batch(15, 3), IN_WORLD, &base, &Switches::default());
    list.finish(true);
    let runs: Vec<_> = list
        .of_kind(PassKind::Base)
        .iter()
        .map(|item| (item.first_index, item.n_indices, item.instances()))
        .collect();
    assert_eq!(
        runs,
        [(0, 6, 0..2), (6, 6, 2..4), (12, 3, 1..3), (15, 3, 0..1)]
    );
}

#[test]
fn what_is_seen_through_is_drawn_far_to_near() {
    let glass = [pass(PassKind::Translucent, 0, 0, 0)];
    let mut list = instanced(&glass, &[10, 11, 12], &[4.0, 100.0, 25.0]);
    list.push(
        1,
        &batch(30, 3),
        Placing {
            distances_sq: &[50.0],
            ..IN_WORLD
        },
        &[pass(PassKind::Translucent, 0, 5, 1)],
        &Switches::default(),
    );
    list.finish(true);
    let order: Vec<_> = list
        .of_kind(PassKind::Translucent)
        .iter()
        .map(|item| (item.mesh, item.instances().len()))
        .collect();
    assert_eq!(order, [(0, 1), (1, 1), (0, 2)]);
    let items = list.of_kind(PassKind::Translucent);
    let near = items[2].instances();
    let nodes = &list.nodes()[near.start as usize..near.end as usize];
    assert_eq!(nodes, [12, 10], "with nothing between them, one call");
}

#[test]
fn equally_far_things_keep_their_order_and_layers_stay_on_their_surface() {
    let first = [
        pass(PassKind::Translucent, 0, 9, 4),
        pass(PassKind::Translucent, 1, 8, 3),
    ];
    let second = [pass(PassKind::Translucent, 0, 1, 0)];
    let mut list = DrawList::default();
    for (mesh, passes) in [(5, &first[..]), (2, &second[..])] {
        let batch = batch(0, 3);
        list.push(mesh, &batch, IN_WORLD, passes, &Switches::default());
    }
    list.finish(true);
    let order: Vec<_> = list
        .of_kind(PassKind::Translucent)
        .iter()
        .map(|item| item.pass)
        .collect();
    assert_eq!(order, [4, 3, 0]);
}

#[test]
fn depths_are_drawn_once_and_joined_across_materials() {
    let hides = |pass: PassOrder, depth| PassOrder {
        depth: Some(depth),
        ..pass
    };
    let opaque = DepthOrder {
        pipeline: 3,
        pass: NO_PASS,
    };
    let cutout = DepthOrder {
        pipeline: 4,
        pass: 7,
    };
    let stone = [
        hides(pass(PassKind::Base, 0, 0, 0), opaque),
        pass(PassKind::Detail, 0, 1, 1),
    ];
    let wood = [hides(pass(PassKind::Base, 0, 0, 2), opaque)];
    let leaves = [hides(pass(PassKind::Base, 0, 2, 7), cutout)];
    let glass = [pass(PassKind::Translucent, 0, 5, 4)];
    let mut list = DrawList::new(ListOf::Depths);
    for (first_index, passes) in [(0, &stone[..]), (3, &wood), (6, &leaves), (9, &glass)] {
        let batch = batch(first_index, 3);
        list.push(0, &batch, IN_WORLD, passes, &Switches::default());
    }
    list.finish(false);
    let drawn: Vec<_> = (list.of_kind(PassKind::Base).iter())
        .map(|item| (item.pipeline, item.pass, item.first_index, item.n_indices))
        .collect();
    assert_eq!(drawn, [(3, NO_PASS, 0, 6), (4, 7, 6, 3)]);
    assert_eq!(list.n_draw_calls(), 2);
}

/// A square of two triangles at a distance ahead, and a list with a pane of it and what is laid over that.
fn list_of_pane(of: ListOf, xs: &[f32]) -> DrawList {
    let passes = [
        PassOrder {
            bent: Some(BentOrder {
                pipeline: 7,
                pass: 8,
                reach: 0.1,
            }),
            ..pass(PassKind::Translucent, 0, 1, 2)
        },
        pass(PassKind::Translucent, 0, 3, 4),
    ];
    let mut list = DrawList::new(of);
    for x in xs {
        let pane = Pane::from_corners([Vec3::new(*x, 0.0, 0.0); 8]);
        if list.takes_panes(&passes) {
            let place = (None, NodeMatrix::IDENTITY);
            let on = Switches::default();
            list.push_pane((0, &pane), place, Vec3::ZERO, &passes, &on);
        } else {
            let on = Switches::default();
            list.push(0, &batch(0, 6), IN_WORLD, &passes, &on);
        }
    }
    list.finish(true);
    list
}

#[test]
fn panes_are_listed_far_to_near_each_with_what_is_laid_over_it() {
    let list = list_of_pane(ListOf::Passes, &[2.0, 5.0]);
    let items: Vec<_> = (list.of_kind(PassKind::Refracting).iter())
        .map(|item| (item.pass, item.pipeline, item.pane, item.instances()))
        .collect();
    let [far, near] = [1, 0];
    let expected = [
        (8, 7, Some(PanePart::Bent(far)), 1..2),
        (4, 3, Some(PanePart::Over(far)), 0..1),
        (8, 7, Some(PanePart::Bent(near)), 0..1),
        (4, 3, Some(PanePart::Over(near)), 0..1),
    ];
    assert_eq!(items, expected);
    assert!(list.of_kind(PassKind::Translucent).is_empty());
    assert_eq!(list.pane_places.len(), 2);
}

#[test]
fn where_nothing_is_bent_panes_are_glass() {
    let list = list_of_pane(ListOf::UnbentPasses, &[2.0]);
    let passes: Vec<_> = (list.of_kind(PassKind::Translucent).iter())
        .map(|item| (item.pass, item.pane))
        .collect();
    assert_eq!(passes, [(2, None), (4, None)]);
    assert!(list.panes.is_empty());
}
