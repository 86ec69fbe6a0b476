//! What is drawn, and how pieces of it stand below and beside each other. Lengths are points (1/72 inch).

use crate::fonts::Face;

/// A colour of the printed sheet: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Text that is read.
pub(crate) const INK: Color = Color(0x1b, 0x22, 0x30);
/// Text that says what the text beside it is.
pub(crate) const LABEL: Color = Color(0x5d, 0x67, 0x76);
/// Titles and the total.
pub(crate) const ACCENT: Color = Color(0x1f, 0x3a, 0x5f);
/// Rules between rows.
pub(crate) const RULE: Color = Color(0xd3, 0xd9, 0xe1);
/// Behind the head of a table.
pub(crate) const SHADE: Color = Color(0xee, 0xf1, 0xf5);
/// What must not be overlooked.
pub(crate) const ALARM: Color = Color(0xb4, 0x23, 0x18);
/// Text on a dark ground.
pub(crate) const PAPER: Color = Color(0xff, 0xff, 0xff);

/// A rectangle of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// One thing to draw. Its place counts from the left edge of the page and from the top of its slice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// A line of text, `y` being its baseline.
    Text { x: f32, y: f32, face: Face, size: f32, color: Color, text: String },
    /// A filled rectangle.
    Fill { area: Area, color: Color },
    /// The QR code that holds this text.
    Qr { area: Area, text: String },
    /// The issuer's logo.
    Logo { area: Area },
    /// Large letters across the page, behind everything.
    Watermark { text: &'static str, color: Color },
}

impl Op {
    /// The same, further down.
    pub(crate) fn lowered(mut self, by: f32) -> Self {
        match &mut self {
            Self::Text { y, .. } => *y += by,
            Self::Fill { area, .. } | Self::Qr { area, .. } | Self::Logo { area } => area.y += by,
            Self::Watermark { .. } => {}
        }
        self
    }
}

/// What no page break goes through.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slice {
    pub(crate) height: f32,
    pub(crate) ops: Vec<Op>,
}

/// Slices, one below the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    pub(crate) slices: Vec<Slice>,
}

impl Block {
    /// Nothing, that high.
    pub(crate) fn space(height: f32) -> Self {
        Self { slices: vec![Slice { height, ops: Vec::new() }] }
    }

    /// One slice.
    pub(crate) fn of(height: f32, ops: Vec<Op>) -> Self {
        Self { slices: vec![Slice { height, ops }] }
    }

    /// A hairline with room above and below.
    pub(crate) fn rule(x: f32, width: f32, above: f32, below: f32) -> Self {
        let area = Area { x, y: above, width, height: 0.5 };
        Self::of(above + 0.5 + below, vec![Op::Fill { area, color: RULE }])
    }

    /// How high it is.
    pub(crate) fn height(&self) -> f32 {
        self.slices.iter().map(|slice| slice.height).sum()
    }

    /// With another below it.
    pub(crate) fn then(mut self, below: Self) -> Self {
        self.slices.extend(below.slices);
        self
    }

    /// With another beside it, line by line, so that both can go on over a page break.
    pub(crate) fn beside(mut self, other: Self) -> Self {
        let mut others = other.slices.into_iter();
        for (slice, other) in self.slices.iter_mut().zip(&mut others) {
            slice.height = slice.height.max(other.height);
            slice.ops.extend(other.ops);
        }
        self.slices.extend(others);
        self
    }

    /// As one slice, which no page break goes through.
    pub(crate) fn whole(self) -> Self {
        let height = self.height();
        Self::of(height, self.flattened())
    }

    /// What it draws, from its top.
    pub(crate) fn flattened(self) -> Vec<Op> {
        let mut top = 0.0;
        let mut ops = Vec::new();
        for slice in self.slices {
            ops.extend(slice.ops.into_iter().map(|op| op.lowered(top)));
            top += slice.height;
        }
        ops
    }

    /// On a ground of that colour.
    pub(crate) fn on(mut self, x: f32, width: f32, color: Color) -> Self {
        for slice in &mut self.slices {
            let area = Area { x, y: 0.0, width, height: slice.height };
            slice.ops.insert(0, Op::Fill { area, color });
        }
        self
    }
}

impl FromIterator<Self> for Block {
    fn from_iter<T: IntoIterator<Item = Self>>(blocks: T) -> Self {
        blocks.into_iter().fold(Self::default(), Self::then)
    }
}
