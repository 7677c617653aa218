//! Where a user's own files are: settings, what the start screen remembers, and pictures that are kept.

use std::path::PathBuf;

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

/// Names another file of settings, or none if it is empty.
pub const SETTINGS_VARIABLE: &str = "IRONLANDS_SETTINGS";
/// Names another folder for what can be made again, or none if it is empty.
pub const CACHE_VARIABLE: &str = "IRONLANDS_CACHE";

/// The file of settings; `None` where the system has no place for it.
pub fn settings_file() -> Option<PathBuf> {
    chosen(SETTINGS_VARIABLE, || {
        Some(strategy()?.in_config_dir("settings.toml"))
    })
}

/// A file beside the settings.
pub fn beside_settings(name: &str) -> Option<PathBuf> {
    Some(settings_file()?.with_file_name(name))
}

/// The folder for what can be made again; `None` where the system has no place for it.
pub fn cache_folder() -> Option<PathBuf> {
    chosen(CACHE_VARIABLE, || Some(strategy()?.cache_dir()))
}

/// What a variable names, or else what the system says.
fn chosen(variable: &str, of_system: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    match std::env::var_os(variable) {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => of_system(),
    }
}

fn strategy() -> Option<impl AppStrategy> {
    let folders = choose_app_strategy(AppStrategyArgs {
        app_name: "Ironlands".to_owned(),
        ..AppStrategyArgs::default()
    });
    folders.ok()
}
