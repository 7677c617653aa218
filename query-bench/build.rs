//! Links Intel Embree, and only with the feature `embree`: version 4 where it is installed, else version 3. Passes on the
//! versions of the peers that are crates, which do not say them.

use std::path::{Path, PathBuf};

/// Crates that are peers.
const PEERS: [&str; 4] = ["bvh", "obvhs", "parry3d", "tinybvh-rs"];

fn main() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = std::fs::read_to_string(&lock).unwrap_or_default();
    for peer in PEERS {
        let version = version_of(peer, &lock).unwrap_or("of unknown version");
        let variable = peer.to_uppercase().replace('-', "_");
        println!("cargo::rustc-env=VERSION_{variable}={version}");
    }
    println!("cargo::rustc-check-cfg=cfg(embree4)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EMBREE_DIR");
    if std::env::var_os("CARGO_FEATURE_EMBREE").is_none() {
        return;
    }
    let has = |name: &str| {
        folders()
            .into_iter()
            .find(|folder| folder.join(name).exists())
    };
    let (folder, library) = match (has("libembree4.so"), has("libembree3.so")) {
        (Some(folder), _) => {
            println!("cargo::rustc-cfg=embree4");
            (folder, "embree4")
        }
        (None, Some(folder)) => (folder, "embree3"),
        (None, None) => panic!(
            "the feature `embree` needs Intel Embree 3 or 4 with its development files (Debian: libembree-dev); \
             it was looked for in EMBREE_DIR/lib and in the system's folders of libraries"
        ),
    };
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=dylib={library}");
}

/// The version of a crate that a lock file names.
fn version_of<'a>(name: &str, lock: &'a str) -> Option<&'a str> {
    let (_, entry) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    entry.split('"').next()
}

/// Where libraries lie: `EMBREE_DIR/lib` alone if that is set.
fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("EMBREE_DIR") {
        return vec![Path::new(&folder).join("lib")];
    }
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    vec![
        PathBuf::from(format!("/usr/lib/{architecture}-linux-gnu")),
        PathBuf::from("/usr/local/lib"),
        PathBuf::from("/usr/lib64"),
        PathBuf::from("/usr/lib"),
    ]
}
