//! Land of Evil Islands: headers and sectors alone, and whole zones.

use super::evil_islands_archives::tell_res;
use super::files::checked_or_repaired;
use super::{Kind, Report};
use crate::bytes::FormatError;
use crate::evil_islands::land::Layer;
use crate::evil_islands::mp::{self, Mp};
use crate::evil_islands::sec::{self, Liquids, NO_LIQUID, Sec};
use crate::evil_islands::zone::Zone;
use crate::vfs::VfsError;

/// A header: size, atlases, materials.
pub(super) fn tell_mp(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let tolerant = || {
        let mp = Mp::read_with(data, mp::Tolerance::all())?;
        let findings = mp.check();
        Ok((mp, findings))
    };
    let (mp, findings) = checked_or_repaired(Mp::read(data), tolerant, Mp::check)?;
    tell_header(report, &mp);
    report.findings.extend(findings);
    Ok(())
}

fn tell_header(report: &mut Report, mp: &Mp) {
    report.fact("sectors", format!("{} x {}", mp.x_sectors, mp.y_sectors));
    report.fact("largest altitude", mp.max_altitude);
    report.fact("atlases", mp.n_textures);
    report.fact(
        "pixels of atlas and tile",
        format!("{} and {}", mp.texture_size, mp.tile_size),
    );
    report.fact("materials of liquids", mp.materials.len());
    report.fact("ground types", mp.ground_types.len());
    report.fact("animations of tiles", mp.animated_tiles.len());
}

/// A sector: heights, atlases, liquids.
pub(super) fn tell_sec(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let tolerant = || {
        let sector = Sec::read_with(data, sec::Tolerance::all())?;
        let findings = sector.check();
        Ok((sector, findings))
    };
    let (sector, findings) = checked_or_repaired(Sec::read(data), tolerant, Sec::check)?;
    let altitudes = sector.vertices.iter().map(|vertex| vertex.altitude);
    if let (Some(least), Some(greatest)) = (altitudes.clone().min(), altitudes.max()) {
        report.fact("altitudes", format!("{least} to {greatest} of 65535"));
    }
    let mut atlases: Vec<_> = sector.tiles.iter().map(|tile| tile.texture()).collect();
    atlases.sort_unstable();
    atlases.dedup();
    let atlases: Vec<_> = atlases.iter().map(u8::to_string).collect();
    report.fact("atlases", atlases.join(", "));
    let liquids = match sector.liquids() {
        Liquids::None => "none".to_owned(),
        Liquids::VerticesOnly(_) => "vertices without tiles".to_owned(),
        Liquids::Layer(layer) => {
            let materials = layer.materials.iter();
            let n_tiles = materials.filter(|it| **it != NO_LIQUID).count();
            format!("{n_tiles} tiles")
        }
    };
    report.fact("liquids", liquids);
    report.findings.extend(findings);
    Ok(())
}

/// A zone with the map beside it and what both name: facts, and where its files contradict each other.
pub(super) fn tell_zone(report: &mut Report, data: &[u8]) -> Result<(), VfsError> {
    let mut archive = Report::new(&report.path, Kind::Res);
    // What is wrong with the archive itself, the zone tells.
    if tell_res(&mut archive, data).is_ok() {
        report.entries = archive.entries;
    }
    let zone = Zone::open(&report.path, &[])?;
    tell_header(report, &zone.mp);
    let land = zone.land();
    report.fact("sectors that are there", land.sectors().count());
    let liquid_tiles = land
        .sectors()
        .map(|sector| sector.tiles(Layer::Liquid).count());
    report.fact("liquid tiles", liquid_tiles.sum::<usize>());
    report.fact(
        "atlases that are there",
        zone.atlases.iter().flatten().count(),
    );
    report.fact("objects", zone.objects.len());
    report.fact("models", zone.figures.len());
    report.fact("textures of objects", zone.textures.len());
    let mut regions: Vec<_> = zone
        .lights
        .iter()
        .map(|(region, _)| region.name())
        .collect();
    if regions.is_empty() {
        regions.push("none");
    }
    report.fact("light", regions.join(", "));
    report.findings.extend(zone.check());
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::bytes::Severity;
    use crate::evil_islands::test_zone::TestZone;
    use crate::inspect::{Kind, Report, inspect};

    fn fact<'a>(report: &'a Report, name: &str) -> &'a str {
        let fact = report.facts.iter().find(|(known, _)| *known == name);
        fact.map_or("", |(_, value)| value)
    }

    #[test]
    fn a_zone_is_told_with_what_its_files_say_of_each_other() {
        let root = tempfile::tempdir().unwrap();
        let mut test_zone = TestZone::new();
        let path = test_zone.write(root.path());
        let report = &inspect(&path).unwrap().reports[0];
        assert_eq!((report.kind, report.worst()), (Kind::Zone, None));
        assert_eq!(fact(report, "sectors"), "2 x 2");
        assert_eq!(fact(report, "liquid tiles"), "1");
        assert_eq!(fact(report, "light"), "none");
        let rows: Vec<_> = (report.entries.iter())
            .map(|row| (&*row.name, &*row.type_name, row.size))
            .collect();
        assert_eq!(rows[0].0, "zone9.mp");
        assert_eq!(rows[1], ("zone9000000.sec", "sec", 9229));
        assert_eq!(rows.len(), 5);

        test_zone.sectors.remove(&[1, 1]);
        let path = test_zone.write(root.path());
        let report = &inspect(&path).unwrap().reports[0];
        assert_eq!(report.worst(), Some(Severity::Error));
        std::fs::write(&path, b"RES").unwrap();
        let report = &inspect(&path).unwrap().reports[0];
        assert_eq!(
            (report.kind, report.worst()),
            (Kind::Zone, Some(Severity::Error))
        );
    }

    #[test]
    fn headers_and_sectors_alone_are_known_by_their_marks() {
        let root = tempfile::tempdir().unwrap();
        let test_zone = TestZone::new();
        let put = |name: &str, data: Vec<u8>| {
            let path = root.path().join(name);
            std::fs::write(&path, data).unwrap();
            inspect(&path).unwrap().reports
        };
        let header = put("a.mp", test_zone.mp.write().unwrap());
        assert_eq!((header[0].kind, header[0].worst()), (Kind::Mp, None));
        assert_eq!(fact(&header[0], "materials of liquids"), "1");
        assert_eq!(put("saved.mp", b"a character".to_vec()), []);
        let wet = test_zone.sectors[&[1, 0]].write().unwrap();
        let sector = put("a.sec", wet.clone());
        assert_eq!((sector[0].kind, sector[0].worst()), (Kind::Sec, None));
        assert_eq!(fact(&sector[0], "liquids"), "1 tiles");
        assert_eq!(fact(&sector[0], "atlases"), "0, 1");
        let cut = put("cut.sec", wet[..1000].to_vec());
        assert_eq!(cut[0].worst(), Some(Severity::Error));
    }
}
