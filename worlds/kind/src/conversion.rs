//! Placeholder until the exchange crate has them.
#![allow(missing_docs, reason = "replaced on merge")]
use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use std::error::Error;
use std::path::{Path, PathBuf};

type Failure = Box<dyn Error + Send + Sync>;

#[derive(Debug, Clone, Copy)]
pub struct LevelExport {
    pub extension: &'static str,
    pub options: &'static [ConversionOption],
    pub export: fn(&Path, &Path, &ConversionOptions) -> Result<Exported, Failure>,
}
#[derive(Debug, Clone, Copy)]
pub struct ModelExport {
    pub extension: &'static str,
    pub options: &'static [ConversionOption],
    pub export: fn(&Path, &Path, &ConversionOptions) -> Result<Exported, Failure>,
}
#[derive(Debug, Clone, Copy)]
pub struct ModelImport {
    pub to_extension: &'static str,
    pub from_extensions: &'static [&'static str],
    pub options: &'static [ConversionOption],
    pub import: fn(&Path, &Path, &ConversionOptions) -> Result<Imported, Failure>,
}
#[derive(Debug, Clone, Default)]
pub struct Imported {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub findings: Vec<ironlands_assets_core::bytes::Finding>,
}
