//! Flags of surfaces and contents, and the masks that traces are made with (dossier sections 3.4 and 7.2).

use bitflags::bitflags;

bitflags! {
    /// [`Texinfo::flags`](super::Texinfo::flags). Unknown bits are kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct SurfaceFlags: i32 {
        /// Gives light.
        const LIGHT = 0x1;
        /// Not drawn: the sky is seen here, without what the 3D sky shows.
        const SKY_2D = 0x2;
        /// Not drawn: the sky is seen here.
        const SKY = 0x4;
        /// Surface of water.
        const WARP = 0x8;
        /// Translucent.
        const TRANS = 0x10;
        /// No portals of the game may be placed.
        const NO_PORTAL = 0x20;
        /// Not drawn: surface of a trigger.
        const TRIGGER = 0x40;
        /// Not drawn.
        const NO_DRAW = 0x80;
        /// Not drawn: for the compiler.
        const HINT = 0x100;
        /// Not drawn: for the compiler.
        const SKIP = 0x200;
        /// Has no lightmap, is fully bright.
        const NO_LIGHT = 0x400;
        /// Has four planes of luxels instead of one.
        const BUMP_LIGHT = 0x800;
        /// Gets no shadows.
        const NO_SHADOWS = 0x1000;
        /// Gets no decals.
        const NO_DECALS = 0x2000;
        /// For the compiler.
        const NO_CHOP = 0x4000;
        /// A trace hit a hitbox.
        const HITBOX = 0x8000;
        /// Any of those that are not drawn.
        const INVISIBLE = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200;

        const _ = !0;
    }
}

impl SurfaceFlags {
    /// Whether faces with these flags are drawn.
    pub fn is_visible(self) -> bool {
        !self.intersects(Self::INVISIBLE)
    }
}

bitflags! {
    /// Contents of brushes, leaves and displacements, and masks of traces. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct Contents: i32 {
        /// Stops everything.
        const SOLID = 0x1;
        /// Glass.
        const WINDOW = 0x2;
        /// Unused.
        const AUX = 0x4;
        /// Lets bullets and sight through.
        const GRATE = 0x8;
        /// Slime.
        const SLIME = 0x10;
        /// Water.
        const WATER = 0x20;
        /// Stops sight of others than players.
        const BLOCK_LOS = 0x40;
        /// Stops light and sight.
        const OPAQUE = 0x80;
        /// Fog of water may be seen from the leaf.
        const TEST_FOG_VOLUME = 0x100;
        /// Team 1.
        const TEAM_1 = 0x800;
        /// Team 2.
        const TEAM_2 = 0x1000;
        /// `OPAQUE` does not count where the surface is `NO_DRAW`.
        const IGNORE_NODRAW_OPAQUE = 0x2000;
        /// Moves: an entity.
        const MOVEABLE = 0x4000;
        /// An area portal.
        const AREA_PORTAL = 0x8000;
        /// Stops players.
        const PLAYER_CLIP = 0x1_0000;
        /// Stops monsters.
        const MONSTER_CLIP = 0x2_0000;
        /// Current to +X.
        const CURRENT_0 = 0x4_0000;
        /// Current to +Y.
        const CURRENT_90 = 0x8_0000;
        /// Current to -X.
        const CURRENT_180 = 0x10_0000;
        /// Current to -Y.
        const CURRENT_270 = 0x20_0000;
        /// Current to +Z.
        const CURRENT_UP = 0x40_0000;
        /// Current to -Z.
        const CURRENT_DOWN = 0x80_0000;
        /// Marks the origin of an entity; removed by the compiler.
        const ORIGIN = 0x100_0000;
        /// A monster; never a brush.
        const MONSTER = 0x200_0000;
        /// Debris.
        const DEBRIS = 0x400_0000;
        /// Detail: does not divide the tree.
        const DETAIL = 0x800_0000;
        /// Some side is translucent.
        const TRANSLUCENT = 0x1000_0000;
        /// A ladder.
        const LADDER = 0x2000_0000;
        /// A hitbox.
        const HITBOX = 0x4000_0000;

        /// Mask: what is solid to most things.
        const MASK_SOLID = 0x0200_400B;
        /// Mask: what stops players.
        const MASK_PLAYER_SOLID = 0x0201_400B;
        /// Mask: what of the level stops players.
        const MASK_PLAYER_SOLID_BRUSH_ONLY = 0x0001_400B;
        /// Mask: what stops monsters.
        const MASK_NPC_SOLID = 0x0202_400B;
        /// Mask: what of the level is solid.
        const MASK_SOLID_BRUSH_ONLY = 0x0000_400B;
        /// Mask: what things swim in.
        const MASK_WATER = 0x4030;
        /// Mask: what stops light.
        const MASK_OPAQUE = 0x4081;
        /// Mask: what stops bullets.
        const MASK_SHOT = 0x4600_4003;
        /// Mask: what stops bullets that are boxes.
        const MASK_SHOT_HULL = 0x0600_400B;
        /// Mask: what stops sight.
        const MASK_BLOCK_LOS = 0x4041;
        /// Mask: what stops those who watch.
        const MASK_DEAD_SOLID = 0x0001_000B;

        const _ = !0;
    }
}
