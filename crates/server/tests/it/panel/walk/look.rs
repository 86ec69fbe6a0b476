//! Looking at pages: as they are shown on a desk and on a phone, in the light and in the dark.

use std::{fs, path::PathBuf};

use serde_json::Value;
use testkit::Chromium;

/// See the README beside it.
const AXE: &str = include_str!("../../../data/axe-core/axe.min.js");
/// What axe-core finds, a sentence for each rule that is broken, once the page is drawn.
const RUN: &str =
    "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
        reporter: 'no-passes',
        preload: false,
    }))
    .then(({ violations }) => violations.map(({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`))";
/// At this width nothing may scroll sideways (WCAG 1.4.10).
const NARROW: (u32, u32) = (320, 640);
/// As much as a failure tells.
const FAULTS_TOLD: usize = 60;

/// How a page is shown.
#[derive(Clone, Copy)]
pub(super) struct View {
    scheme: &'static str,
    size: (u32, u32),
}

const DESK: (u32, u32) = (1_280, 900);
const PHONE: (u32, u32) = (390, 844);
const DESK_BY_DAY: View = View { scheme: "light", size: DESK };
const PHONE_BY_NIGHT: View = View { scheme: "dark", size: PHONE };

/// All ways.
pub(super) const ALL: [View; 4] = [
    DESK_BY_DAY,
    PHONE_BY_NIGHT,
    View { scheme: "dark", size: DESK },
    View { scheme: "light", size: PHONE },
];

/// Each size and each scheme once, by turns: pages are made of the same parts, and all ways would take minutes.
pub(super) fn by_turns(turn: usize) -> &'static [View] {
    const BOTH: &[View] = &ALL;
    let (first, second) = BOTH.split_at(2);
    if turn.is_multiple_of(2) { first } else { second }
}

/// Somebody who looks, and writes down what is wrong.
pub(super) struct Look<'a> {
    chromium: &'a Chromium,
    faults: Vec<String>,
    /// Where pictures of what was seen are kept.
    pictures: PathBuf,
    views: usize,
}

impl<'a> Look<'a> {
    pub(super) fn with(chromium: &'a Chromium) -> Self {
        chromium.run_in_every_page(AXE);
        chromium.speak("es-MX");
        let pictures = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("panel");
        fs::create_dir_all(&pictures).unwrap();
        let look = Self { chromium, faults: Vec::new(), pictures, views: 0 };
        look.see_faults();
        look
    }

    /// Who finds nothing wrong with anything is no judge.
    fn see_faults(&self) {
        let bad = "<p style='color:%23999;background:%23aaa'>grey</p><img src='data:,'>";
        self.chromium.open(&format!("data:text/html,{bad}"));
        let found = self.found();
        for rule in ["color-contrast", "image-alt"] {
            assert!(found.iter().any(|fault| fault.starts_with(rule)), "{rule}: {found:?}");
        }
        drop(self.chromium.complaints());
    }

    /// Looks at a page in some ways.
    pub(super) fn at(&mut self, name: &str, url: &str, views: &[View]) {
        self.chromium.open(url);
        for complaint in self.chromium.complaints().into_iter().filter(|told| !is_refusal(told)) {
            self.faults.push(format!("{name}: {complaint}"));
        }
        for View { scheme, size: (width, height) } in views {
            self.chromium.prefer(scheme);
            self.chromium.resize(*width, *height);
            let view = format!("{name}, {scheme}, {width}");
            let found = self.found().into_iter();
            self.faults.extend(found.map(|fault| format!("{view}: {fault}")));
            let file = view.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            fs::write(self.pictures.join(format!("{file}.png")), self.chromium.screenshot())
                .unwrap();
            self.views += 1;
        }
        self.chromium.resize(NARROW.0, NARROW.1);
        let wide = self.chromium.evaluate("document.documentElement.scrollWidth - innerWidth");
        if wide.as_i64().is_none_or(|wide| wide > 0) {
            self.faults
                .push(format!("{name}: scrolls sideways by {wide} pixels at {} px", NARROW.0));
        }
        // What looking has brought about is none of the page's.
        drop(self.chromium.complaints());
    }

    /// Nothing may have been wrong.
    pub(super) fn judge(&self) {
        let told = self.faults.iter().take(FAULTS_TOLD).cloned().collect::<Vec<_>>().join("\n");
        let (faults, views, pictures) = (self.faults.len(), self.views, self.pictures.display());
        assert_eq!(faults, 0, "{faults} faults in {views} views, see {pictures}:\n{told}");
    }

    fn found(&self) -> Vec<String> {
        let found = self.chromium.evaluate(RUN);
        let faults = found.as_array().unwrap_or_else(|| panic!("axe-core answers {found}"));
        faults.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

/// Browsers complain of forms that are refused, too, which is what 422 says, and what people are told in the page itself.
fn is_refusal(complaint: &str) -> bool {
    complaint.contains("Failed to load resource") && complaint.contains("422")
}
