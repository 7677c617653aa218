mod cells;
mod emitters;
mod grading;
mod sounds;
mod surroundings;

use crate::{
    Aabb, Affine, AmbientCube, AreaPortal, Areas, Backdrop, BlendTexture, CloudLayer, Cluster,
    DayCycle, DirectLight, EnvironmentMap, EnvironmentMask, FlareSpot, Flicker, Fog, FogColor,
    FogFalloff, FogLayer, HourColors, HourWindow, Instance, Joint, LensFlare, Light, LightCone,
    LightStyle, Lighting, Lightmap, Liquid, MAX_AREAS, MAX_DIRECT_LIGHTS, MAX_LIGHT_STYLES,
    Material, Mesh, MirrorSheet, Model, ModelNode, ModelPiece, MorphTarget, MorphWeight, NormalMap,
    Occluder, PaintedColors, PaintedKey, PaintedSky, Pass, PassEffects, PassKind, PieceLod,
    PixelFormat, Scene, SkinVertex, Sky, SkyBody, SkyBox, SkyDome, SkyFace, SkyKey, SkyPicture,
    Sphere, SpriteFrame, SunPath, Texture, TextureIdx, VisNode, Visibility,
};

/// All that newer fields say, once, and sound.
fn sound() -> Scene {
    let pass = Pass {
        lighting: Lighting::Lightmap,
        blend_texture: Some(BlendTexture {
            texture: TextureIdx(0),
            transition: Some(TextureIdx(0)),
        }),
        lightmap: Some(Lightmap {
            texture: TextureIdx(1),
            styles: vec![0, 1],
            normal_map: Some(NormalMap {
                texture: TextureIdx(0),
                is_self_shadowed: false,
            }),
        }),
        liquid: Some(Liquid::default()),
        ..Pass::default()
    };
    Scene {
        textures: vec![
            texture(PixelFormat::Bc1, [5, 3], 1, &[16, 8, 8]),
            texture(PixelFormat::Rgba16Float, [2, 1], 8, &[128]),
        ],
        materials: vec![Material {
            passes: vec![pass],
            ..Material::default()
        }],
        meshes: vec![Mesh {
            positions: vec![[0.0; 3]],
            normals: vec![[0.0, 0.0, 1.0]],
            uv_sets: [vec![[0.0; 2]], vec![[0.0; 2]]],
            colors: vec![[1.0; 4]],
            clusters: vec![Cluster {
                bounds: Aabb {
                    min: [0.0; 3],
                    max: [0.0; 3],
                },
                cell: [0; 2],
                lods: std::iter::once(0..0).collect(),
                cells: vec![1, 0],
            }],
            ..Mesh::default()
        }],
        lights: vec![Light {
            cone: Some(LightCone {
                direction: [0.0, 0.6, -0.8],
                cos_inner: 0.9,
                cos_outer: -1.0,
            }),
            flicker: Flicker {
                share: 1.0,
                per_sec: 8.0,
                seed: 1,
            },
            style: Some(1),
            ..Light::default()
        }],
        models: vec![moving_model()],
        instances: vec![Instance {
            parent_from_nodes: vec![Affine::IDENTITY],
            hidden_pieces: vec![0, 1],
            morph: vec![weight(1, -0.5), weight(0, 2.0)],
            light: Some(AmbientCube([[2.0; 3]; 6])),
            direct_lights: vec![DirectLight {
                direction_to_light: [0.0, 0.6, 0.8],
                color: [2.0; 3],
                style: Some(1),
            }],
            cells: vec![1],
            ..Instance::default()
        }],
        emitters: emitters::sound(),
        foliage: Some(grading::foliage()),
        auto_exposure: Some(grading::EXPOSURE),
        color_tables: grading::tables(),
        color_corrections: grading::corrections(),
        clips: sounds::clips(),
        sounds: sounds::sounds(),
        speed_of_sound: 343.0,
        sky_box: Some(SkyBox {
            faces: [Some(SkyFace {
                texture: TextureIdx(0),
                uv_scale: [1.0, 2.0],
            }); 6],
            color: [0.0; 3],
        }),
        backdrop: Some(Backdrop {
            origin: [1.0; 3],
            scale: 16.0,
            fog: Some(fog()),
            cells: vec![0, 1],
        }),
        light_styles: vec![style(); 2],
        visibility: Some(Visibility {
            nodes: vec![node([1, -1]), node([-2, -1])],
            leaf_cells: vec![None, Some(1)],
            rows: vec![Some(0), None],
            coded: vec![3],
        }),
        areas: Areas {
            of_cells: vec![Some(1), None],
            portals: vec![AreaPortal {
                areas: [1, 2],
                corners: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                is_open: true,
                max_distance: f32::INFINITY,
            }],
        },
        occluders: vec![Occluder {
            polygons: vec![vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]],
            is_active: true,
        }],
        fog: Some(fog()),
        days: vec![DayCycle {
            name: "test".to_owned(),
            hours: [HourColors::default(); 24],
            start_hour: 23.75,
            fog_color: FogColor::OfSky,
            dome: Some(SkyDome {
                keys: [6.0, 18.0].map(sky_at).to_vec(),
                sun_path: SunPath {
                    rise_hour: 6.0,
                    set_hour: 20.0,
                    noon: [0.0, 0.6, 0.8],
                },
            }),
            day_secs: Some(900.0),
            painted: Some(painted()),
        }],
        clouds: CloudLayer::FAIR.to_vec(),
        haze: Some(fog()),
        ..Scene::default()
    }
}

fn texture(format: PixelFormat, size: [u32; 2], n_layers: u32, level_bytes: &[usize]) -> Texture {
    Texture {
        width: size[0],
        height: size[1],
        format,
        n_layers,
        mips: level_bytes
            .iter()
            .map(|n_bytes| vec![0; *n_bytes])
            .collect(),
        ..Texture::default()
    }
}

/// A node with two pieces of nothing, and two targets for three vertices.
fn moving_model() -> Model {
    let target = |first_vertex, n_vertices| MorphTarget {
        name: String::new(),
        first_vertex,
        offsets: vec![[1.0; 3]; n_vertices],
    };
    let piece = ModelPiece {
        node: 0,
        state: 0,
        lods: vec![PieceLod {
            bounds: Sphere::default(),
            batches: 0..0,
        }],
    };
    Model {
        nodes: vec![ModelNode::default()],
        mesh: Mesh {
            positions: vec![[0.0; 3]; 3],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            uv_sets: [vec![[0.0; 2]; 3], vec![[0.0; 2]; 3]],
            skin: vec![SkinVertex::rigid(1); 3],
            morph_targets: vec![target(0, 3), target(3, 0)],
            ..Mesh::default()
        },
        joints: vec![Joint::default(); 2],
        pieces: vec![piece; 2],
        ..Model::default()
    }
}

fn weight(target: u32, weight: f32) -> MorphWeight {
    MorphWeight { target, weight }
}

fn fog() -> Fog {
    Fog {
        color: [0.5; 3],
        start: 0.0,
        end: 100.0,
        falloff: FogFalloff::Linear,
        density: 0.5,
        layer: None,
    }
}

fn fog_up_to(full_below: f32, none_above: f32) -> Fog {
    let layer = FogLayer {
        full_below,
        none_above,
    };
    Fog {
        layer: Some(layer),
        ..fog()
    }
}

fn style() -> LightStyle {
    LightStyle {
        factors: vec![1.0, 0.0],
        factors_per_sec: 10.0,
    }
}

fn node(children: [i32; 2]) -> VisNode {
    VisNode {
        plane: [1.0, 0.0, 0.0, 0.0],
        children,
    }
}

type Break = fn(&mut Scene);

fn effects(scene: &mut Scene) -> &mut PassEffects {
    scene.materials[0].passes[0].effects.get_or_insert_default()
}

fn lightmap(scene: &mut Scene) -> &mut Lightmap {
    let lightmap = scene.materials[0].passes[0].lightmap.as_mut();
    lightmap.expect("the scene has a lightmap")
}

fn second(scene: &mut Scene) -> &mut BlendTexture {
    let second = scene.materials[0].passes[0].blend_texture.as_mut();
    second.expect("the scene has a blend texture")
}

fn liquid(scene: &mut Scene) -> &mut Liquid {
    let liquid = scene.materials[0].passes[0].liquid.as_mut();
    liquid.expect("the scene has a liquid")
}

fn day(scene: &mut Scene) -> &mut DayCycle {
    scene.days.first_mut().expect("the scene has a day")
}

fn sky_at(hour: f32) -> SkyKey {
    SkyKey {
        hour,
        sky: Sky::default(),
    }
}

fn painted() -> PaintedSky {
    let frame = SpriteFrame::whole(TextureIdx(1));
    let colors = PaintedColors {
        fog_range: [1.0, 2.0],
        ..PaintedColors::default()
    };
    let picture = SkyPicture {
        texture: TextureIdx(0),
        repeats: 3.0,
        sinks: 0.1,
        fog_range: Some([0.1, 0.3]),
    };
    PaintedSky {
        keys: [6.0, 18.0].map(|hour| PaintedKey { hour, colors }).to_vec(),
        span_rad: 0.75,
        backdrop: Some(picture),
        clouds: Some(picture),
        bodies: vec![SkyBody {
            frame,
            hours: HourWindow {
                from: 5.0,
                to: 19.0,
            },
            arc: [[0.0, -1.0, 0.0], [0.6, 0.0, 0.8]],
            angles_rad: [-0.3, 3.5],
        }],
        flare: Some(LensFlare {
            spots: vec![FlareSpot {
                place: -0.5,
                half_size: 0.1,
                color: [1.0; 4],
                frame,
            }],
            reach_rad: 0.25,
            heights: [0.5, 0.8],
            least: 0.1,
        }),
    }
}

fn painted_of(scene: &mut Scene) -> &mut PaintedSky {
    day(scene).painted.as_mut().expect("the day has one")
}

fn dome(scene: &mut Scene) -> &mut SkyDome {
    day(scene).dome.as_mut().expect("the day has a dome")
}

fn backdrop(scene: &mut Scene) -> &mut Backdrop {
    scene.backdrop.as_mut().expect("the scene has a backdrop")
}

#[track_caller]
fn assert_refused(breaks: &[(&str, &str, usize, Break)]) {
    assert_eq!(sound().validate(), Ok(()));
    for (name, array, index, break_it) in breaks {
        let mut scene = sound();
        break_it(&mut scene);
        let error = scene.validate().expect_err(name);
        assert_eq!(
            (&*error.array, error.index),
            (*array, *index),
            "{name}: {error}"
        );
    }
}

#[test]
fn textures_have_the_bytes_of_their_blocks_levels_and_layers() {
    assert_refused(&[
        ("a byte too few", "textures", 0, |it| {
            it.textures[0].mips[1].truncate(7)
        }),
        ("a byte too many", "textures", 1, |it| {
            it.textures[1].mips[0].push(0)
        }),
        ("no layer", "textures", 1, |it| it.textures[1].n_layers = 0),
        ("a layer too many", "textures", 1, |it| {
            it.textures[1].n_layers = 9
        }),
        ("a level below 1x1", "textures", 0, |it| {
            it.textures[0].mips.push(vec![0; 8])
        }),
        ("beyond 64 bits", "textures", 0, |it| {
            it.textures[0] = texture(PixelFormat::Rgba8, [u32::MAX; 2], u32::MAX, &[4]);
        }),
    ]);
}

#[test]
fn passes_name_what_is_there_and_lightmaps_are_there_where_it_lights() {
    assert_refused(&[
        ("blend texture", "materials", 0, |it| {
            second(it).texture = TextureIdx(2)
        }),
        ("transition", "materials", 0, |it| {
            second(it).transition = Some(TextureIdx(2))
        }),
        ("lightmap", "materials", 0, |it| {
            lightmap(it).texture = TextureIdx(2)
        }),
        ("normal map", "materials", 0, |it| {
            lightmap(it).normal_map = Some(NormalMap {
                texture: TextureIdx(2),
                is_self_shadowed: true,
            });
        }),
        ("depth of what is seen through", "materials", 0, |it| {
            it.materials[0].passes[0].kind = PassKind::Translucent;
        }),
        ("a missing detail texture", "materials", 0, |it| {
            it.materials[0].passes[0].detail = Some(TextureIdx(2));
        }),
        ("a detail texture in linear light", "materials", 0, |it| {
            it.materials[0].passes[0].detail = Some(TextureIdx(0));
        }),
        ("a missing texture of an effect", "materials", 0, |it| {
            effects(it).light_warp = Some(TextureIdx(2));
        }),
        ("surroundings without six sides", "materials", 0, |it| {
            effects(it).environment = Some(EnvironmentMap {
                texture: TextureIdx(0),
                tint: [1.0; 3],
                mask: EnvironmentMask::None,
                contrast: 0.0,
                saturation: 1.0,
                head_on: 1.0,
            });
        }),
        ("effects of water", "materials", 0, |it| {
            effects(it).half_lambert = true;
            it.materials[0].passes[0].kind = PassKind::Water;
        }),
        ("effects in display space", "materials", 0, |it| {
            effects(it).half_lambert = true;
            it.materials[0].passes[0].lighting = Lighting::Display;
            it.materials[0].passes[0].lightmap = None;
        }),
        ("no lightmap", "materials", 0, |it| {
            it.materials[0].passes[0].lightmap = None;
        }),
        ("lightmap beside the sun", "materials", 0, |it| {
            it.materials[0].passes[0].lighting = Lighting::Linear;
        }),
        ("no style", "materials", 0, |it| lightmap(it).styles.clear()),
        ("too many styles", "materials", 0, |it| {
            lightmap(it).styles = vec![0; 5];
            it.textures[1] = texture(PixelFormat::Rgba16Float, [2, 1], 20, &[320]);
        }),
        ("a missing style", "materials", 0, |it| {
            lightmap(it).styles[1] = 2
        }),
        ("a mirror without sides", "materials", 0, |it| {
            liquid(it).sheet = Some(MirrorSheet {
                min: [1.0, 0.0],
                max: [1.0, 2.0],
                repeats: 1.0,
                ripple: 0.0,
                period_secs: 1.0,
            })
        }),
        ("an opaque liquid", "materials", 0, |it| {
            liquid(it).clarity = 0.0
        }),
        ("endless waves", "materials", 0, |it| {
            liquid(it).waves = f32::INFINITY
        }),
        ("waves of no texture", "materials", 0, |it| {
            liquid(it).has_wave_texture = true;
            it.materials[0].passes[0].texture = None;
        }),
        ("layers without directions", "materials", 0, |it| {
            lightmap(it).normal_map = None
        }),
    ]);
}

#[test]
fn without_styles_all_that_there_could_be_are_constant() {
    let mut scene = sound();
    scene.light_styles.clear();
    lightmap(&mut scene).styles[1] = (MAX_LIGHT_STYLES - 1) as u16;
    assert_eq!(scene.validate(), Ok(()));
    lightmap(&mut scene).styles[1] += 1;
    assert!(scene.validate().is_err());
}

#[test]
fn light_and_colors_are_numbers() {
    assert_refused(&[
        ("a color too few", "meshes[0].colors", 0, |it| {
            it.meshes[0].colors.push([0.0; 4])
        }),
        ("no color", "meshes[0].colors", 0, |it| {
            it.meshes[0].colors[0][3] = f32::NAN
        }),
        ("a cube", "instances", 0, |it| {
            it.instances[0].light = Some(AmbientCube([[-1.0; 3]; 6]));
        }),
        ("an endless cube", "instances", 0, |it| {
            it.instances[0].light = Some(AmbientCube([[f32::INFINITY; 3]; 6]));
        }),
        ("a light too many", "instances", 0, |it| {
            let light = it.instances[0].direct_lights[0];
            it.instances[0].direct_lights = vec![light; MAX_DIRECT_LIGHTS + 1];
        }),
        ("light from nowhere", "instances", 0, |it| {
            it.instances[0].direct_lights[0].direction_to_light = [0.0; 3];
        }),
        ("darkness", "instances", 0, |it| {
            it.instances[0].direct_lights[0].color[1] = -1.0;
        }),
        ("a missing style", "instances", 0, |it| {
            it.instances[0].direct_lights[0].style = Some(99);
        }),
        ("no factor", "light_styles", 1, |it| {
            it.light_styles[1].factors.clear()
        }),
        ("a factor", "light_styles", 1, |it| {
            it.light_styles[1].factors[1] = f32::NAN
        }),
        ("a speed", "light_styles", 0, |it| {
            it.light_styles[0].factors_per_sec = -1.0
        }),
        ("styles", "light_styles", 257, |it| {
            it.light_styles = vec![style(); 257]
        }),
    ]);
}

#[test]
fn what_moves_and_what_is_hidden_is_there() {
    let targets = "models[0].mesh.morph_targets";
    assert_refused(&[
        ("a missing vertex", targets, 1, |it| {
            it.models[0].mesh.morph_targets[1].offsets.push([0.0; 3]);
        }),
        ("beyond 32 bits", targets, 0, |it| {
            it.models[0].mesh.morph_targets[0].first_vertex = u32::MAX;
        }),
        ("no offset", targets, 0, |it| {
            it.models[0].mesh.morph_targets[0].offsets[2][1] = f32::NAN;
        }),
        ("of the level", "meshes[0]", 0, |it| {
            it.meshes[0].morph_targets.push(MorphTarget::default());
        }),
        ("a missing target", "instances", 0, |it| {
            it.instances[0].morph[0].target = 2;
        }),
        ("a target twice", "instances", 0, |it| {
            it.instances[0].morph[0].target = 0;
        }),
        ("no weight", "instances", 0, |it| {
            it.instances[0].morph[1].weight = f32::NAN;
        }),
        ("a missing piece", "instances", 0, |it| {
            it.instances[0].hidden_pieces.push(2);
        }),
        ("a piece twice", "instances", 0, |it| {
            it.instances[0].hidden_pieces = vec![0, 0];
        }),
        ("a place too many", "instances", 0, |it| {
            it.instances[0].parent_from_nodes.push(Affine::IDENTITY);
        }),
        ("no place", "instances", 0, |it| {
            it.instances[0].parent_from_nodes[0].0[2][3] = f32::INFINITY;
        }),
        ("a missing model", "instances", 0, |it| it.models.clear()),
    ]);
}

#[test]
fn joints_carry_every_vertex_or_none() {
    let skin = "models[0].mesh.skin";
    assert_refused(&[
        ("a missing node", "models[0].joints", 1, |it| {
            it.models[0].joints[1].node = 1;
        }),
        ("nowhere", "models[0].joints", 0, |it| {
            it.models[0].joints[0].node_from_mesh.0[0][3] = f32::NAN;
        }),
        ("a vertex that nothing carries", skin, 0, |it| {
            it.models[0].mesh.skin.pop();
        }),
        ("a skin without joints", skin, 0, |it| {
            it.models[0].joints.clear()
        }),
        ("a missing joint", skin, 1, |it| {
            it.models[0].mesh.skin[1].joints[3] = 2;
        }),
        ("weights that are not 1 together", skin, 2, |it| {
            it.models[0].mesh.skin[2].weights[1] = 0.5;
        }),
        ("a weight below 0", skin, 2, |it| {
            it.models[0].mesh.skin[2].weights = [1.5, -0.5, 0.0, 0.0];
        }),
        ("a skin of the level", "meshes[0]", 0, |it| {
            it.meshes[0].skin.push(SkinVertex::rigid(0));
        }),
    ]);
}
