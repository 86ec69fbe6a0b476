//! The board of deals by hand: a mouse, a finger, and the keyboard without script.

use serde_json::{Value, json};
use testkit::{Chromium, Client, DatabaseKind};

use super::{super::shop::opened, hands::Hands};

const ALL: &str = "/crm/deals";

/// A board in a browser, and the API beside it.
struct Board<'a> {
    chromium: &'a Chromium,
    client: &'a Client,
    /// The stages of the pipeline in their order: three open ones, won, lost.
    stages: Vec<String>,
}

impl Board<'_> {
    /// The titles of the deals of a stage, as the service has them.
    fn kept(&self, stage: usize) -> Vec<String> {
        let stage = &self.stages[stage];
        let listed = self.client.get(&format!("{ALL}?stageId={stage}&sort=rank")).expect(200);
        titles(&listed["data"])
    }

    /// The same, as the browser shows them.
    fn shown(&self, stage: usize) -> Vec<String> {
        let cards = format!("[data-stage=\"{}\"] .card", self.stages[stage]);
        let titles =
            "(cards) => [...cards].map((card) => ({title: card.innerText.split('\\n')[0]}))";
        self::titles(
            &self.chromium.evaluate(&format!("({titles})(document.querySelectorAll('{cards}'))")),
        )
    }

    /// A point of something that is shown, so far down from its top in parts of its height.
    fn point(&self, selector: &str, part: f64) -> (f64, f64) {
        let box_of = format!(
            "(({{x, y, width, height}}) => [x + width / 2, y + height * {part}])
            (document.querySelector('{selector}').getBoundingClientRect())"
        );
        let point = self.chromium.evaluate(&box_of);
        (point[0].as_f64().unwrap(), point[1].as_f64().unwrap())
    }

    /// Waits until the board tells what has come of a move, and whether it was made.
    fn told(&self) -> bool {
        let once = "new Promise((told) => {
            const look = () => {
                const note = document.querySelector('.told .notice');
                if (!note) { setTimeout(look, 10); return; }
                note.remove();
                told(note.classList.contains('ok'));
            };
            look();
        })";
        self.chromium.evaluate(once) == true
    }

    /// Drags a card by the mouse.
    fn drag(&self, deal: &str, to: (f64, f64)) {
        self.chromium.drag(self.point(&card(deal), 0.5), to);
    }
}

fn card(deal: &str) -> String {
    format!("[data-deal=\"{deal}\"]")
}

fn titles(deals: &Value) -> Vec<String> {
    let deals = deals.as_array().unwrap().iter();
    deals.map(|deal| deal["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_deal_is_dragged_and_moved_without_script() {
    let Some(chromium) = Chromium::start() else { return };
    let chromium = &chromium;
    let (app, browser, account, client) = opened(DatabaseKind::Sqlite);
    let pipelines = client.get("/crm/pipelines").expect(200);
    let stages = pipelines["data"][0]["stages"].as_array().unwrap().iter();
    let stages = stages.map(|stage| stage["id"].as_str().unwrap().to_owned()).collect();
    let board = Board { chromium, client: &client, stages };
    let deal = |title: &str| {
        let made = client.post(ALL, &json!({"title": title})).expect(201);
        made["id"].as_str().unwrap().to_owned()
    };
    let (mugs, plates, bowls) = (deal("Tazas"), deal("Platos"), deal("Tazones"));
    chromium.be_known(&app.origin(), &browser.cookies());
    chromium.resize(1_280, 900);
    chromium.let_script_run(true);
    let place = format!("{}{account}deals", app.origin());
    chromium.open(&place);
    by_mouse(&board, &mugs, &plates);
    by_touch(&board, &plates);
    chromium.open(&place);
    a_failed_move_comes_back(&board, &bowls);
    chromium.open(&place);
    a_reason_is_asked_for(&board, &plates);
    without_script(&board, &place, &mugs);
    // Nothing was wrong but what was refused.
    let complaints = chromium.complaints();
    let is_refusal = |told: &String| told.contains("Failed to load resource");
    assert!(complaints.iter().all(is_refusal), "{complaints:?}");
}

fn stage(board: &Board<'_>, number: usize) -> String {
    format!("[data-stage=\"{}\"]", board.stages[number])
}

/// To another stage, and within it to another place.
fn by_mouse(board: &Board<'_>, mugs: &str, plates: &str) {
    board.drag(mugs, board.point(&stage(board, 1), 0.9));
    assert!(board.told());
    assert_eq!((board.shown(1), board.kept(1)), (titles_of(&["Tazas"]), titles_of(&["Tazas"])));
    // Above the middle of another one it goes before that one.
    board.drag(plates, board.point(&card(mugs), 0.2));
    assert!(board.told());
    let both = titles_of(&["Platos", "Tazas"]);
    assert_eq!((board.shown(1), board.kept(1)), (both.clone(), both));
    board.drag(plates, board.point(&card(mugs), 0.8));
    assert!(board.told());
    let both = titles_of(&["Tazas", "Platos"]);
    assert_eq!((board.shown(1), board.kept(1)), (both.clone(), both));
    // Where it is already, nothing is sent.
    board.drag(plates, board.point(&card(mugs), 0.9));
    assert_eq!(board.chromium.evaluate("document.querySelectorAll('.slot, .dragged').length"), 0);
}

fn titles_of(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|title| (*title).to_owned()).collect()
}

fn by_touch(board: &Board<'_>, plates: &str) {
    let grip = board.point(&format!("{} .grip", card(plates)), 0.5);
    board.chromium.drag_by_touch(grip, board.point(&stage(board, 2), 0.5));
    assert!(board.told());
    assert_eq!(board.kept(2), titles_of(&["Platos"]));
}

/// A deal that is gone stays where the board shows it, and the board says why.
fn a_failed_move_comes_back(board: &Board<'_>, bowls: &str) {
    let _ = board.client.delete(&format!("{ALL}/{bowls}")).expect(200);
    board.drag(bowls, board.point(&stage(board, 2), 0.9));
    assert!(!board.told());
    assert_eq!(board.shown(0), titles_of(&["Tazones"]));
}

fn a_reason_is_asked_for(board: &Board<'_>, plates: &str) {
    board.drag(plates, board.point(&stage(board, 4), 0.9));
    board.chromium.wait_for("document.querySelector('[name=reason]') !== null");
    let asked =
        "[location.pathname.split('/').at(-2), document.querySelector('[name=stage]').value]";
    assert_eq!(board.chromium.evaluate(asked), json!([plates, board.stages[4]]));
}

fn without_script(board: &Board<'_>, place: &str, mugs: &str) {
    let chromium = board.chromium;
    chromium.let_script_run(false);
    chromium.open(place);
    let hands = Hands::on(chromium);
    hands.follow(&format!("{mugs}/move"));
    hands.reach("e.name === 'stage'");
    let _ = chromium.evaluate(&format!("document.activeElement.value = '{}'", board.stages[2]));
    hands.send("/move");
    assert_eq!(hands.path(), place.split_at(place.find("/panel").unwrap()).1);
    let told = chromium.evaluate("document.querySelectorAll('.notice[role=status]').length");
    assert_eq!((told, board.kept(2)), (json!(1), titles_of(&["Platos", "Tazas"])));
    chromium.let_script_run(true);
}
