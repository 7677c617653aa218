//! Values of options.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;

use crate::camera::Pose;

/// Width and height of a picture, written as 1280x720.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| *side > 0);
        text.split_once(['x', 'X'])
            .and_then(|(width, height)| Some(Self([side(width)?, side(height)?])))
            .ok_or("write width and height in pixels as in 1280x720")
    }
}

/// A camera, written as x,y,z,yaw,pitch in level units and degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraArg(pub Pose);

impl FromStr for CameraArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<f32> = text
            .split(',')
            .map_while(|number| number.trim().parse().ok())
            .filter(|number: &f32| number.is_finite())
            .collect();
        match (&*numbers, text.split(',').count()) {
            (&[x, y, z, yaw, pitch], 5) => Ok(Self(Pose::new(
                Vec3::new(x, y, z),
                yaw.to_radians(),
                pitch.to_radians(),
            ))),
            _ => Err(
                "write five numbers x,y,z,yaw,pitch, angles in degrees, as in 600,600,80,45,-20",
            ),
        }
    }
}

impl fmt::Display for CameraArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pose {
            position: Vec3 { x, y, z },
            yaw_rad,
            pitch_rad,
        } = self.0;
        let [yaw, pitch] = [yaw_rad, pitch_rad].map(f32::to_degrees);
        write!(f, "{x:.2},{y:.2},{z:.2},{yaw:.1},{pitch:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers_above_zero() {
        assert_eq!("1280x720".parse(), Ok(Size([1280, 720])));
        for wrong in ["", "1280", "x", "0x720", "12x-3", "12x3x4", "1e3x2"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_camera_is_five_finite_numbers_with_angles_in_degrees() {
        let CameraArg(pose) = "600, 600.5,-80,90,-45".parse().unwrap();
        assert_eq!(pose.position, Vec3::new(600.0, 600.5, -80.0));
        assert!((pose.yaw_rad - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert!((pose.pitch_rad + std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        for wrong in [
            "",
            "1,2,3,4",
            "1,2,3,4,5,6",
            "1,2,3,4,x",
            "1,2,3,4,nan",
            "1,inf,3,4,5",
        ] {
            assert!(wrong.parse::<CameraArg>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_camera_prints_as_what_is_read() {
        for text in [
            "600.00,600.50,-80.25,90.0,-45.0",
            "-1.50,0.00,3.00,-170.5,12.3",
        ] {
            let camera: CameraArg = text.parse().unwrap();
            assert_eq!(camera.to_string(), text);
        }
    }
}
