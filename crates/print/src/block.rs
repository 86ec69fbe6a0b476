//! What is drawn, and how pieces of it stand below and beside each other. Lengths are points (1/72 inch).

use crate::{fonts::Face, palette::Tone};

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
    Text { x: f32, y: f32, face: Face, size: f32, tone: Tone, text: String },
    /// A filled rectangle.
    Fill { area: Area, tone: Tone },
    /// The QR code that holds this text.
    Qr { area: Area, text: String },
    /// The issuer's logo.
    Logo { area: Area },
    /// Large letters across the page, behind everything.
    Watermark { text: &'static str, tone: Tone },
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
        Self::of(above + 0.5 + below, vec![Op::Fill { area, tone: Tone::Rule }])
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
    pub(crate) fn on(mut self, x: f32, width: f32, tone: Tone) -> Self {
        for slice in &mut self.slices {
            let area = Area { x, y: 0.0, width, height: slice.height };
            slice.ops.insert(0, Op::Fill { area, tone });
        }
        self
    }
}

impl FromIterator<Self> for Block {
    fn from_iter<T: IntoIterator<Item = Self>>(blocks: T) -> Self {
        blocks.into_iter().fold(Self::default(), Self::then)
    }
}
