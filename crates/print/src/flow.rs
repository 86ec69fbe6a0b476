//! Blocks over pages: where pages break, and what stands again on each.

use crate::block::{Block, Op};

/// Letter size.
pub(crate) const PAGE_WIDTH: f32 = 612.0;
/// Letter size.
pub(crate) const PAGE_HEIGHT: f32 = 792.0;
/// White on either side.
pub(crate) const MARGIN: f32 = 36.0;
/// Between the margins.
pub(crate) const BODY_WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Where the first block begins.
const TOP: f32 = 30.0;
/// From the last block to the footer.
const ABOVE_FOOTER: f32 = 6.0;

/// Pages as they fill.
pub(crate) struct Flow {
    pages: Vec<Vec<Op>>,
    /// Down to where the last page is full.
    y: f32,
    /// Where the content of the last page begins.
    start: f32,
    /// Where the content of every page ends.
    bottom: f32,
    /// Above the content of every page but the first.
    running: Block,
    /// Above the rows of the table on every page, while there is a table.
    head: Option<Block>,
    /// What goes with the next block, whichever page that is on.
    pending: Block,
}

impl Flow {
    /// Pages with that above the content: on the first page, and on each of the others. `footer_top` is where the
    /// footer begins on all of them.
    pub(crate) fn new(first: Block, running: Block, footer_top: f32) -> Self {
        let mut flow = Self {
            pages: vec![Vec::new()],
            y: TOP,
            start: TOP,
            bottom: footer_top - ABOVE_FOOTER,
            running,
            head: None,
            pending: Block::default(),
        };
        flow.put(first);
        flow.start = flow.y;
        flow
    }

    /// A block that stays on one page, if any page can hold it.
    pub(crate) fn place(&mut self, block: Block) {
        if self.pending.height() + block.height() <= self.capacity() {
            self.place_here_or_next(block);
            return;
        }
        // It is going to be broken; that is easiest to read from the top of a page.
        if self.y > f32::midpoint(self.start, self.bottom) {
            self.break_page();
        }
        self.place_in_lines(block);
    }

    /// A row of a table: a high one is broken rather than leaving much of a page white.
    pub(crate) fn place_row(&mut self, row: Block) {
        if row.height() <= self.capacity() / 4.0 {
            self.place(row);
        } else {
            self.place_in_lines(row);
        }
    }

    /// What goes above the next block.
    pub(crate) fn lead(&mut self, block: Block) {
        self.pending = std::mem::take(&mut self.pending).then(block);
    }

    /// Begins a table, whose head stands again on each page.
    pub(crate) fn begin_table(&mut self, head: Block) {
        self.lead(head.clone());
        self.head = Some(head);
    }

    /// Ends the table.
    pub(crate) fn end_table(&mut self) {
        self.head = None;
    }

    /// The pages.
    pub(crate) fn finish(mut self) -> Vec<Vec<Op>> {
        let pending = std::mem::take(&mut self.pending);
        if !pending.slices.is_empty() {
            self.place_here_or_next(pending);
        }
        self.pages
    }

    fn capacity(&self) -> f32 {
        self.bottom - TOP - self.running.height()
    }

    fn place_in_lines(&mut self, block: Block) {
        for slice in block.slices {
            self.place_here_or_next(Block { slices: vec![slice] });
        }
    }

    fn place_here_or_next(&mut self, block: Block) {
        let needed = self.pending.height() + block.height();
        if self.y + needed > self.bottom && self.y > self.start {
            self.break_page();
        }
        let pending = std::mem::take(&mut self.pending);
        self.put(pending);
        self.put(block);
    }

    fn break_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = TOP;
        self.put(self.running.clone());
        self.start = self.y;
        if self.pending.slices.is_empty() {
            self.pending = self.head.clone().unwrap_or_default();
        }
    }

    fn put(&mut self, block: Block) {
        let height = block.height();
        let top = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.extend(block.flattened().into_iter().map(|op| op.lowered(top)));
        }
        self.y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Align, Span, Style, paragraph};

    fn line(text: &str, height: f32) -> Block {
        let span = Span { x: 0.0, width: 500.0 };
        let block = paragraph(text, span, Style::TEXT, Align::Left);
        block.then(Block::space(height - Style::TEXT.leading)).whole()
    }

    fn texts(page: &[Op]) -> Vec<&str> {
        page.iter()
            .filter_map(|op| match op {
                Op::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    fn flow() -> Flow {
        Flow::new(line("first", 20.0), line("running", 20.0), 754.0)
    }

    #[test]
    fn the_head_stands_on_every_page_of_the_table_and_on_no_other() {
        let mut flow = flow();
        flow.begin_table(line("head", 20.0));
        for _ in 0..8 {
            flow.place_row(line("row", 150.0));
        }
        flow.end_table();
        flow.place(line("after", 600.0));
        let pages = flow.finish();
        let expected = [
            vec!["first", "head", "row", "row", "row", "row"],
            vec!["running", "head", "row", "row", "row", "row"],
            vec!["running", "after"],
        ];
        assert_eq!(pages.iter().map(|page| texts(page)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_head_never_stands_alone_at_the_end_of_a_page() {
        let mut flow = flow();
        flow.place(line("text", 640.0));
        flow.lead(line("title", 20.0));
        flow.begin_table(line("head", 20.0));
        flow.place_row(line("row", 20.0));
        let pages = flow.finish();
        assert_eq!(texts(&pages[1]), ["running", "title", "head", "row"]);
    }

    #[test]
    fn a_block_stays_whole_unless_no_page_can_hold_it() {
        let mut flow = flow();
        flow.place(line("text", 600.0));
        flow.place(line("a", 60.0).then(line("b", 60.0)));
        let long = (0..100).map(|_| line("c", 20.0)).collect::<Block>();
        flow.place(long);
        let pages = flow.finish();
        assert_eq!(texts(&pages[0]), ["first", "text"]);
        assert_eq!(texts(&pages[1])[..4], ["running", "a", "b", "c"]);
        assert_eq!(
            pages.iter().flat_map(|page| texts(page)).filter(|text| *text == "c").count(),
            100
        );
    }

    #[test]
    fn a_slice_higher_than_a_page_is_placed_all_the_same() {
        let mut flow = flow();
        flow.place(line("monster", 5_000.0));
        flow.place(line("after", 10.0));
        assert_eq!(flow.finish().len(), 2);
    }
}
