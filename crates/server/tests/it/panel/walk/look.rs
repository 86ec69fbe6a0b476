//! Looking at pages: as they are shown on a desk and on a phone, in the light and in the dark.

use std::{env, fs, path::PathBuf};

use serde_json::{Value, json};
use testkit::{Chromium, Key};

/// See the README beside it. Pages that it is not asked about do not run it.
const AXE: &str = concat!(
    "globalThis.loadAxe = function () {",
    include_str!("../../../data/axe-core/axe.min.js"),
    "\n};"
);
/// What it finds by some of its rules, a sentence for each that is broken.
const RUN: &str = "(globalThis.axe || loadAxe(), axe.run(PART, {
        runOnly: RULES,
        resultTypes: ['violations'],
        reporter: 'no-passes',
        preload: false,
    }))
    .then(({ violations }) => violations.map(({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`))";
/// All that a page is judged by.
const RULES: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
/// What the size and the scheme decide: the rest of a page is the same in each.
const RULES_OF_VIEWS: &str = "{type: 'rule', values: ['color-contrast', 'target-size',
    'link-in-text-block', 'scrollable-region-focusable', 'aria-hidden-focus']}";
/// What is the same around every page, and takes as long as the page itself.
const AROUND: &str = "{exclude: [['#navigation'], ['header.bar']]}";
/// Where there is little room, nothing may scroll sideways or be cut off: on a narrow screen (WCAG 1.4.10), and on a desk where
/// everything is twice as large (WCAG 1.4.4).
const TIGHT: [(u32, u32); 2] = [(320, 640), (640, 450)];
/// What does not fit there. What stands in a field scrolls, and what only readers are told is a pixel wide.
const UNFIT: &str = "(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const unfit = wide > 0 ? [`scrolls sideways by ${wide} pixels`] : [];
    for (const e of document.body.querySelectorAll('*:not(svg, svg *, input, select, textarea)')) {
        if (e.closest('.unseen') || e.clientWidth < 2 || e.scrollWidth < e.clientWidth + 2) continue;
        const cut = ['hidden', 'clip'].includes(getComputedStyle(e).overflowX);
        if (cut || e.matches('button, .button, .pill, h1, h2'))
            unfit.push(`${cut ? 'cuts off' : 'does not hold'} its text: ${e.outerHTML.slice(0, 160)}`);
    }
    return unfit;
})()";
/// Says that pictures of what is seen are to be kept, also of what nothing is wrong with: taking them takes long.
const PICTURES: &str = "TRASTIENDA_PICTURES";
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

const EACH: &[View] = &ALL;

/// Each size and each scheme once, by turns: pages are made of the same parts, and all ways would take minutes.
pub(super) fn by_turns(turn: usize) -> &'static [View] {
    let (first, second) = EACH.split_at(2);
    if turn.is_multiple_of(2) { first } else { second }
}

/// One way after the other.
pub(super) fn one_by_turns(turn: usize) -> &'static [View] {
    &EACH[turn % EACH.len()..][..1]
}

/// How much of a page is judged by axe-core. Whether it fits is a question of all of it.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Whole,
    /// But for what stands around every page.
    Content,
}

/// What is looked at.
pub(super) struct Sight {
    pub(super) name: String,
    pub(super) url: String,
    /// Who of those that a browser can be.
    pub(super) visitor: usize,
    pub(super) judged: Judged,
}

/// How something is judged.
#[derive(Clone, Copy)]
pub(super) enum Judged {
    /// As it is shown in these ways.
    Shown(&'static [View], Part),
    /// As a form comes back that is sent as it is shown.
    Refused(&'static [View]),
    /// As a list is shown whose first row is ticked.
    Ticked(&'static [View]),
    /// By whether it is in English, and fits.
    InEnglish,
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
        let found = self.found(RULES, Part::Content);
        for rule in ["color-contrast", "image-alt"] {
            assert!(found.iter().any(|fault| fault.starts_with(rule)), "{rule}: {found:?}");
        }
        drop(self.chromium.complaints());
    }

    /// Looks at something as it is to be judged.
    pub(super) fn see(&mut self, sight: &Sight) {
        self.chromium.open(&sight.url);
        match sight.judged {
            Judged::Shown(views, part) => self.seen(&sight.name, views, part),
            Judged::Refused(views) => {
                self.send_as_shown(&sight.name);
                self.seen(&sight.name, views, Part::Content);
            }
            Judged::Ticked(views) => {
                let _ = self.chromium.evaluate("document.querySelector('td.box input').click()");
                self.seen(&sight.name, views, Part::Content);
            }
            Judged::InEnglish => self.in_english(&sight.name),
        }
    }

    /// Looks at all of a page in some ways.
    pub(super) fn at(&mut self, name: &str, url: &str, views: &[View]) {
        self.chromium.open(url);
        self.seen(name, views, Part::Whole);
    }

    fn seen(&mut self, name: &str, views: &[View], part: Part) {
        self.hear(name);
        let keeps_all = env::var_os(PICTURES).is_some();
        for (turn, View { scheme, size: (width, height) }) in views.iter().enumerate() {
            self.chromium.prefer(scheme);
            self.chromium.resize(*width, *height);
            let view = format!("{name}, {scheme}, {width}");
            let found = self.found(if turn == 0 { RULES } else { RULES_OF_VIEWS }, part);
            if keeps_all || !found.is_empty() {
                self.keep(&view);
            }
            self.faults.extend(found.into_iter().map(|fault| format!("{view}: {fault}")));
            self.views += 1;
        }
        self.fits(name);
    }

    /// What is sent as it is shown comes back with what is wrong with it.
    fn send_as_shown(&mut self, name: &str) {
        let button = "document.querySelector('#content form.form .actions button')";
        let _ = self.chromium.evaluate(&format!("{button}.focus()"));
        self.chromium.press_through(Key::Enter);
        let told = self.chromium.evaluate("document.querySelectorAll('[role=alert]').length");
        if told != json!(1) {
            let path = self.chromium.evaluate("location.pathname");
            self.faults.push(format!("{name}: is not refused, but leads to {path}"));
        }
    }

    /// Looks at a page in another language, in which everything must fit, too.
    fn in_english(&mut self, name: &str) {
        let language = self.chromium.evaluate("document.documentElement.lang");
        if language != "en" {
            self.faults.push(format!("{name}: is in {language}"));
        }
        self.hear(name);
        self.fits(name);
    }

    /// What the browser complains of.
    fn hear(&mut self, name: &str) {
        let complaints = self.chromium.complaints().into_iter().filter(|told| !is_refusal(told));
        self.faults.extend(complaints.map(|complaint| format!("{name}: {complaint}")));
    }

    fn fits(&mut self, name: &str) {
        for (width, height) in TIGHT {
            self.chromium.resize(width, height);
            let found = told(&self.chromium.evaluate(UNFIT));
            let view = format!("{name}, {width}");
            if !found.is_empty() {
                self.keep(&view);
            }
            self.faults.extend(found.into_iter().map(|fault| format!("{view}: {fault}")));
        }
        // What looking has brought about is none of the page's.
        drop(self.chromium.complaints());
    }

    /// Keeps a picture of what is shown.
    fn keep(&self, view: &str) {
        let file = view.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let file = self.pictures.join(format!("{file}.png"));
        fs::write(file, self.chromium.screenshot()).unwrap();
    }

    fn found(&self, rules: &str, part: Part) -> Vec<String> {
        let part = match part {
            Part::Whole => "document",
            Part::Content => AROUND,
        };
        told(&self.chromium.evaluate(&RUN.replace("RULES", rules).replace("PART", part)))
    }
}

/// Nothing may have been wrong with what was looked at.
pub(super) fn judge(looks: &[Look<'_>]) {
    let faults: Vec<&str> =
        looks.iter().flat_map(|look| &look.faults).map(String::as_str).collect();
    let views: usize = looks.iter().map(|look| look.views).sum();
    let pictures = looks.first().map(|look| look.pictures.display().to_string());
    let pictures = pictures.unwrap_or_default();
    let told = faults.iter().take(FAULTS_TOLD).copied().collect::<Vec<_>>().join("\n");
    assert!(faults.is_empty(), "{} faults in {views} views, see {pictures}:\n{told}", faults.len());
}

fn told(found: &Value) -> Vec<String> {
    let faults = found.as_array().unwrap_or_else(|| panic!("a page answers {found}"));
    faults.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Browsers complain of forms that are refused, too, which is what 422 says, and what people are told in the page itself.
fn is_refusal(complaint: &str) -> bool {
    complaint.contains("Failed to load resource") && complaint.contains("422")
}
