use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    Vmf {
        facts: facts(),
        damage: damage(),
        // Between blocks a text may end; where it may not has a test of its own.
        truncations: Truncations::Valid,
        values: any_map(),
        // An entry of a few letters takes some hundred bytes: its text, its spelling, and its typed value.
        growth: 256,
        runs: 2_000,
    }
}

/// As an editor writes it: a solid with a displacement, an entity with outputs, and blocks that are not known.
const HAND_TYPED: &str = r#"// a comment
versioninfo
{
	"editorversion" "400"
	"editorbuild" "6440"
	"mapversion" "7"
	"formatversion" "100"
	"prefab" "0"
}
visgroups
{
	visgroup
	{
		"name" "a \ b"
		"visgroupid" "3"
		"color" "1 2 3"
		visgroup
		{
			"name" "inner"
			"unknown" "x"
		}
	}
}
viewsettings
{
	"bSnapToGrid" "1"
	"bShowGrid" "1"
	"bShowLogicalGrid" "0"
	"nGridSpacing" "64"
	"bShow3DGrid" "0"
}
world
{
	"id" "1"
	"mapversion" "7"
	"classname" "worldspawn"
	group
	{
		"id" "5"
	}
	solid
	{
		"id" "2"
		side
		{
			"id" "11"
			"plane" "(-64 64 0.50) (64 64 0.5) (64 -64 0.5)"
			"material" "DEV/DEV_1"
			"uaxis" "[1 0 0 16] 0.25"
			"vaxis" "[0 -1 0 -3.5] 0.5"
			"rotation" "0"
			"lightmapscale" "16"
			"smoothing_groups" "3"
			dispinfo
			{
				"power" "2"
				"startposition" "[-64 -64 0.5]"
				"flags" "0"
				"elevation" "0"
				"subdiv" "0"
				distances
				{
					"row0" "0 1 2 3 4"
					"row1" "0 0 0 0 0"
					"row2" "0 0 0 0 0"
					"row3" "0 0 0 0 0"
					"row4" "9.5 8 7 6 5"
				}
				triangle_tags
				{
					"row0" "9 9 9 9 9 9 9 9"
					"row1" "9 9 9 9 9 9 9 9"
					"row2" "9 9 9 9 9 9 9 9"
					"row3" "9 9 9 9 9 9 9 0"
				}
				allowed_verts
				{
					"10" "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
				}
			}
			vertices_plus
			{
				"v" "-64 64 0.5"
			}
		}
		editor
		{
			"color" "0 100 200"
			"visgroupid" "3"
			"visgroupshown" "1"
		}
	}
}
entity
{
	"id" "9"
	"classname" "func_button"
	"origin" "1 2 3"
	connections
	{
		"OnPressed" "door,Open,,0,-1"
		"OnPressed" "lamp,TurnOn,,1.5,1"
	}
	editor
	{
		"color" "220 30 220"
		"logicalpos" "[0 500]"
	}
}
cameras
{
	"activecamera" "0"
	camera
	{
		"position" "[1 2 3]"
		"look" "[4 5 6]"
	}
}
cordon
{
	"mins" "(-1024 -1024 -1024)"
	"maxs" "(1024 1024 1024)"
	"active" "0"
}
quickhide
{
	"count" "1"
}
"#;

fn facts() -> Vec<Fact<Vmf>> {
    vec![Fact::from_bytes("a map of an editor", HAND_TYPED)]
}

#[test]
fn fields_are_those_of_the_text() {
    let vmf = Vmf::read(HAND_TYPED.as_bytes()).unwrap();
    assert_eq!(vmf.version_info.as_ref().unwrap().map_version, Some(7));
    let group = &vmf.visgroups.as_ref().unwrap().groups[0];
    assert_eq!((group.name.as_deref(), group.id), (Some(r"a \ b"), Some(3)));
    assert_eq!(
        (group.color, group.groups.len()),
        (Some([1.0, 2.0, 3.0]), 1)
    );
    assert_eq!(vmf.view_settings.as_ref().unwrap().grid_spacing, Some(64));
    assert_eq!((vmf.world.id, vmf.world.class()), (Some(1), "worldspawn"));
    assert_eq!(vmf.world.kept.unknown().count(), 1, "the group");
    let solid = &vmf.world.solids[0];
    assert_eq!((solid.id, solid.sides.len()), (Some(2), 1));
    let editor = solid.editor.as_ref().unwrap();
    assert_eq!(editor.color, Some([0.0, 100.0, 200.0]));
    assert_eq!(editor.pairs[0], ("visgroupid".into(), "3".into()));
    let side = &solid.sides[0];
    assert_eq!(
        side.plane,
        [[-64.0, 64.0, 0.5], [64.0, 64.0, 0.5], [64.0, -64.0, 0.5]]
    );
    assert_eq!((side.id, &*side.material), (Some(11), "DEV/DEV_1"));
    let v_axis = TextureAxis {
        axis: [0.0, -1.0, 0.0],
        shift: -3.5,
        scale: 0.5,
    };
    assert_eq!(side.v_axis, v_axis);
    assert_eq!(
        (side.rotation, side.lightmap_scale),
        (Some(0.0), Some(16.0))
    );
    assert_eq!(side.smoothing_groups, Some(3));
    let grid = side.displacement.as_ref().unwrap();
    assert_eq!(
        (grid.power, grid.side(), grid.start_position),
        (2, 5, [-64.0, -64.0, 0.5])
    );
    assert_eq!(grid.distances.rows[4], [9.5, 8.0, 7.0, 6.0, 5.0]);
    assert_eq!(grid.triangle_tags.rows[3][7], 0.0);
    assert!(grid.normals.rows.is_empty());
    assert_eq!(grid.allowed_verts.as_ref().unwrap().words, [-1.0; 10]);
    let entity = &vmf.entities[0];
    assert_eq!((entity.id, entity.get("ORIGIN")), (Some(9), Some("1 2 3")));
    let outputs = &entity.connections.as_ref().unwrap().outputs;
    assert_eq!(
        outputs[1],
        ("OnPressed".into(), "lamp,TurnOn,,1.5,1".into())
    );
    assert_eq!(
        vmf.cameras.as_ref().unwrap().cameras[0].look,
        [4.0, 5.0, 6.0]
    );
    assert_eq!(vmf.cordon.as_ref().unwrap().mins, [-1024.0; 3]);
    assert_eq!(vmf.kept.unknown().count(), 1, "quickhide");
}

#[test]
fn an_edit_changes_only_what_it_says() {
    let mut vmf = Vmf::read(HAND_TYPED.as_bytes()).unwrap();
    vmf.world.solids[0].sides[0].material = "BRICK/A".into();
    vmf.world.solids[0].sides[0].u_axis.shift = 17.0;
    vmf.entities[0].push("targetname", "b");
    vmf.cordon = None;
    let text = String::from_utf8(vmf.write().unwrap()).unwrap();
    let cordon = HAND_TYPED.find("cordon").unwrap()..HAND_TYPED.find("quickhide").unwrap();
    let mut expected = HAND_TYPED.to_owned();
    expected.replace_range(cordon, "");
    let expected = expected
        .replace("DEV/DEV_1", "BRICK/A")
        .replace("[1 0 0 16]", "[1 0 0 17]");
    for line in expected.lines() {
        assert!(text.contains(line), "{line}");
    }
    assert_eq!(text.lines().count(), expected.lines().count() + 1);
    assert_eq!(Vmf::read(text.as_bytes()).unwrap(), vmf);
}

#[test]
fn a_new_map_reads_back_as_it_was() {
    let mut solid = Solid::default();
    solid.sides.push(Side {
        plane: [[0.1, -2.0, 3.0], [1e-7, 5e9, 0.0], [0.0; 3]],
        material: "A".into(),
        ..Side::default()
    });
    let vmf = Vmf {
        world: VmfEntity {
            solids: vec![solid.clone(), solid],
            ..VmfEntity::new("worldspawn")
        },
        entities: vec![VmfEntity::new("light")],
        ..Vmf::default()
    };
    let text = vmf.write().unwrap();
    let again = Vmf::read(&text).unwrap();
    assert_eq!(again, vmf);
    assert_eq!(again.write().unwrap(), text);
}

/// Values have no place in the text, but in the tree of blocks.
fn damage() -> Vec<Damage> {
    let rows = [
        ("world\n{", "word\n{", "map.world"),
        ("\"id\" \"2\"", "\"id\" \"-2\"", "map.world 0.solid 0.id"),
        (
            "0.50) (64",
            "0.50 (64) (64",
            "map.world 0.solid 0.side 0.plane",
        ),
        ("\"plane\"", "\"plan\"", "map.world 0.solid 0.side 0.plane"),
        (
            "[1 0 0 16] 0.25",
            "[1 0 0 16]",
            "map.world 0.solid 0.side 0.uaxis",
        ),
        ("-3.5] 0.5", "nan] 0.5", "map.world 0.solid 0.side 0.vaxis"),
        (
            "\"power\" \"2\"",
            "\"power\" \"5\"",
            "map.world 0.solid 0.side 0.dispinfo 0.power",
        ),
        (
            "9.5 8 7 6 5",
            "9.5 8 7 6",
            "map.world 0.solid 0.side 0.dispinfo 0.distances 0.row4",
        ),
        (
            "\"10\" \"-1 ",
            "\"10\" \"",
            "map.world 0.solid 0.side 0.dispinfo 0.allowed_verts 0.10",
        ),
        ("(1024 1024 1024)", "(1024 1024)", "map.cordon 0.maxs"),
        (
            "\"look\" \"[4 5 6]\"",
            "\"loo\" \"\"",
            "map.cameras 0.camera 0.look",
        ),
        ("quickhide", "world", "map.world"),
    ];
    let rows = rows.map(|(old, new, field)| {
        assert!(HAND_TYPED.contains(old), "{old}");
        Damage::new(new, HAND_TYPED.replace(old, new), field, 0)
    });
    rows.to_vec()
}

#[test]
fn errors_are_those_of_maps() {
    for row in damage() {
        assert_eq!(Vmf::read(&row.bytes).unwrap_err().format, "vmf");
    }
}

#[test]
fn a_text_that_is_cut_inside_of_a_block_is_refused() {
    let world_ends = HAND_TYPED.find("entity\n{").unwrap();
    let depth = |text: &str| {
        text.bytes().fold(0, |depth, byte| match byte {
            b'{' => depth + 1,
            b'}' => depth - 1,
            _ => depth,
        })
    };
    for len in 0..HAND_TYPED.len() {
        let cut = &HAND_TYPED[..len];
        let is_refused = Vmf::read(cut.as_bytes()).is_err();
        assert!(
            is_refused || depth(cut) == 0 && len + 1 >= world_ends,
            "the first {len} bytes"
        );
    }
}

#[test]
fn unusual_maps_are_found() {
    let mut vmf = Vmf::read(HAND_TYPED.as_bytes()).unwrap();
    assert_eq!(vmf.check().len(), 1, "a solid of one side");
    let side = vmf.world.solids[0].sides[0].clone();
    vmf.world.solids[0].sides = vec![side; 4];
    assert_eq!(vmf.check().len(), 3, "three numbers that were given before");
}

fn any_number() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::NEGATIVE
}

fn any_vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(any_number())
}

fn any_text() -> impl Strategy<Value = String> {
    "[ !#-z|~é\\[\\]]{0,12}"
}

fn any_axis() -> impl Strategy<Value = TextureAxis> {
    (any_vector(), any_number(), any_number()).prop_map(|(axis, shift, scale)| TextureAxis {
        axis,
        shift,
        scale,
    })
}

fn any_grid() -> impl Strategy<Value = VmfDisplacement> {
    (
        any_vector(),
        prop::collection::vec(any_number(), 5),
        any::<u32>(),
    )
        .prop_map(|(start_position, row, flags)| VmfDisplacement {
            power: 2,
            start_position,
            flags: Some(flags),
            layer_weights: DisplacementRows::new(vec![row.repeat(4); 5]),
            layer_colors: [(); 4].map(|()| DisplacementRows::new(vec![row.repeat(3); 5])),
            alphas: DisplacementRows::new(vec![row; 5]),
            ..VmfDisplacement::default()
        })
}

prop_compose! {
    fn any_side()(
        id in prop::option::of(any::<u32>()),
        plane in prop::array::uniform3(any_vector()),
        material in any_text(),
        (u_axis, v_axis) in (any_axis(), any_axis()),
        rotation in prop::option::of(any_number()),
        smoothing_groups in prop::option::of(any::<u32>()),
        displacement in prop::option::of(any_grid()),
    ) -> Side {
        Side {
            id, plane, material, u_axis, v_axis, rotation, smoothing_groups, displacement,
            lightmap_scale: None,
            kept: Kept::default(),
        }
    }
}

prop_compose! {
    fn any_entity()(
        id in prop::option::of(any::<u32>()),
        pairs in prop::collection::vec(("[a-z]{1,8}x", any_text()), 0..4),
        outputs in prop::option::of(prop::collection::vec(("On[A-Z]", any_text()), 0..3)),
        sides in prop::collection::vec(any_side(), 0..3),
    ) -> VmfEntity {
        let solid = Solid { sides, ..Solid::default() };
        VmfEntity {
            id,
            pairs,
            connections: outputs.map(|outputs| Connections { outputs, ..Connections::default() }),
            solids: vec![solid],
            ..VmfEntity::default()
        }
    }
}

fn any_map() -> impl Strategy<Value = Vmf> {
    let entities = prop::collection::vec(any_entity(), 0..3);
    let map_version = prop::option::of(any::<u32>());
    (any_entity(), entities, map_version).prop_map(|(world, entities, map_version)| Vmf {
        version_info: Some(VersionInfo {
            map_version,
            ..VersionInfo::default()
        }),
        world,
        entities,
        ..Vmf::default()
    })
}
