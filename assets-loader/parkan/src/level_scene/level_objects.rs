//! The objects of the level: a model of the scene for each model, an instance for each component.

use ironlands_scene::{Instance, Material, Model, ModelIdx};

use crate::level_objects::{LevelModel, LevelObject, LevelObjects};
use crate::material_table::MaterialTable;
use crate::model_scene::{BatchMaterials, to_model};

/// Models and instances, in the order of [`LevelObjects::components`], and the models' materials, which come
/// after the `n_materials` that the scene has.
pub(super) fn models(
    level_objects: &LevelObjects,
    table: &MaterialTable,
    n_materials: usize,
) -> (Vec<Model>, Vec<Instance>, Vec<Material>) {
    let mut materials = BatchMaterials::new(table, n_materials);
    let mut to_model = |model: &LevelModel| {
        let LevelModel {
            name,
            msh,
            rows,
            first_node,
        } = model;
        let mut material_of = materials.of_model(msh, rows);
        to_model(name, msh, *first_node, &mut material_of)
    };
    let models: Vec<Model> = level_objects.models.iter().map(&mut to_model).collect();
    let objects = level_objects.objects.iter();
    let instances = objects.flat_map(|object| instances_of(object, &models));
    let instances = instances.collect();
    (models, instances, materials.finish())
}

/// One instance a component. The first has the object's name, the others are parts of it and have none.
fn instances_of(object: &LevelObject, models: &[Model]) -> Vec<Instance> {
    let places = object.at_rest(models);
    let components = object.components.iter().zip(places).enumerate();
    components
        .map(|(idx, (component, place))| Instance {
            name: match idx {
                0 => object.name.clone(),
                _ => String::new(),
            },
            model: ModelIdx(component.model as u32),
            world_from_model: place.world_from_model,
            ..Instance::default()
        })
        .collect()
}
