//! What glTF has no place for, in the `extras` of its objects.

use gltf_json::extras::Extras;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ExportError;

/// As JSON.
///
/// # Errors
/// It has numbers that JSON has not.
pub fn to_extras(value: &impl Serialize) -> Result<Extras, ExportError> {
    Ok(Some(serde_json::value::to_raw_value(value)?))
}

/// What of the type `T` is in there; `None` for extras of others.
pub fn from_extras<T: DeserializeOwned>(extras: &Extras) -> Option<T> {
    serde_json::from_str(extras.as_ref()?.get()).ok()
}
