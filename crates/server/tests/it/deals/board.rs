//! Boards: sums are those of the deals, whatever many do at once.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind};

use super::{ALL, Desk, act, id_of, in_order, opened, stages};
use crate::races::at_once;

testkit::on_both!(
    a_board_shows_what_there_is,
    sums_hold_more_than_one_number,
    sums_are_those_of_the_deals_whatever_many_do,
    of_many_that_win_a_deal_one_tells,
    many_movers_in_one_stage_leave_one_order,
);

const BOARD: &str = "/crm/deals/board";

fn a_board_shows_what_there_is(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stages = stages(&desk);
    for (title, value, currency) in [("A", 10.5, "MXN"), ("B", 20.0, "MXN"), ("C", 7.25, "USD")] {
        desk.create(ALL, &json!({"title": title, "value": value, "currency": currency}));
    }
    let deal = opened(&desk, "D");
    let _ = act(&desk, &deal, "move", &json!({"stageId": stages[1]}));
    let _ = desk.change(&format!("{ALL}/{deal}"), &json!({"value": 0.000_001, "currency": "EUR"}));
    let board = desk.show(BOARD);
    let sums = json!([
        {"currency": "MXN", "count": 2, "value": 30.5, "weightedValue": 3.05},
        {"currency": "USD", "count": 1, "value": 7.25, "weightedValue": 0.725},
    ]);
    assert_eq!((&board["stages"][0]["sums"], &board["stages"][0]["count"]), (&sums, &json!(3)));
    let tiny = json!([{"currency": "EUR", "count": 1, "value": 0.000_001, "weightedValue": 0}]);
    assert_eq!(board["stages"][1]["sums"], tiny);
    assert_eq!(
        board["stages"][4],
        json!({"id": stages[4], "name": "Perdida", "kind": "lost", "probability": 0,
        "count": 0, "sums": []})
    );
    let other = desk.create("/crm/pipelines", &crate::openapi::pipeline());
    let other = format!("{BOARD}?pipelineId={}", id_of(&other));
    assert_eq!(desk.show(&other)["name"], "Mayoreo");
}

fn sums_hold_more_than_one_number(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for number in 0..11 {
        desk.create(ALL, &json!({"title": format!("{number}"), "value": 1_000_000_000_000_i64}));
    }
    let sum = &desk.show(BOARD)["stages"][0]["sums"][0];
    assert_eq!(sum["value"].to_string(), "11000000000000");
}

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// Does something with one of the deals; what it may be refused by is that others were faster.
fn do_something(client: &Client, deals: &[String], stages: &[String], dice: &mut Dice) {
    let deal = format!("{ALL}/{}", deals[dice.below(deals.len())]);
    let other = &deals[dice.below(deals.len())];
    let stage = dice.below(stages.len());
    let reason = (stage == 4).then_some("Precio");
    let reply = match dice.below(9) {
        0 => client.act(&format!("{deal}/win")),
        1 => client.post(&format!("{deal}/lose"), &json!({"reason": "Precio"})),
        2 => client.act(&format!("{deal}/reopen")),
        3 => {
            let currency = ["MXN", "USD"][dice.below(2)];
            let value = dice.below(1_000_000);
            client.patch(&deal, &json!({"value": value, "currency": currency}))
        }
        4 => client.post(ALL, &json!({"title": "New", "value": dice.below(1_000)})),
        5 => {
            let mut body = json!({"stageId": stages[stage], "after": other});
            if let Some(reason) = reason {
                body["reason"] = json!(reason);
            }
            client.post(&format!("{deal}/move"), &body)
        }
        6 if dice.below(4) == 0 => client.delete(&deal),
        _ => {
            let mut body = json!({"stageId": stages[stage]});
            if let Some(reason) = reason {
                body["reason"] = json!(reason);
            }
            client.post(&format!("{deal}/move"), &body)
        }
    };
    assert!(matches!(reply.status, 200 | 201 | 400 | 404 | 409), "{} {}", reply.status, reply.text);
}

/// What a board shows, stage by stage and currency by currency.
fn shown(desk: &Desk) -> BTreeMap<(String, String), (u64, String)> {
    let board = desk.show(BOARD);
    let stages = board["stages"].as_array().unwrap().iter();
    let sums = stages.flat_map(|stage| {
        let id = id_of(stage);
        stage["sums"].as_array().unwrap().iter().map(move |sum| (id.clone(), sum.clone()))
    });
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    sums.map(|(stage, sum)| {
        (
            (stage, text(&sum["currency"])),
            (sum["count"].as_u64().unwrap(), sum["value"].to_string()),
        )
    })
    .collect()
}

/// The same, counted deal by deal.
fn counted(desk: &Desk) -> BTreeMap<(String, String), (u64, String)> {
    let lines = desk.app.database.lines(
        "SELECT stage_id || ' ' || currency || ' ' || COUNT(*) || ' ' || CAST(SUM(value) / 1000000 AS TEXT) AS line \
         FROM deals GROUP BY stage_id, currency",
    );
    let parts = lines.iter().map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    parts
        .map(|parts| {
            let whole = parts[3].split('.').next().unwrap().to_owned();
            ((parts[0].clone(), parts[1].clone()), (parts[2].parse().unwrap(), whole))
        })
        .collect()
}

fn sums_are_those_of_the_deals_whatever_many_do(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deals: Vec<String> = (0..12).map(|number| opened(&desk, &number.to_string())).collect();
    let stages = stages(&desk);
    let _ = at_once(8, |thread| {
        let seed = u64::try_from(thread).unwrap() + 7;
        let mut dice = Dice(seed);
        for _ in 0..40 {
            do_something(&desk.client, &deals, &stages, &mut dice);
        }
    });
    assert_eq!(shown(&desk), counted(&desk));
    // The audit after the test compares them again, with the events that were told.
}

fn of_many_that_win_a_deal_one_tells(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deal = opened(&desk, "A");
    let win = format!("{ALL}/{deal}/win");
    let replies = at_once(16, |_| desk.client.act(&win));
    let first = &replies[0];
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.text == first.text));
    assert_eq!(desk.events("deal.won").len(), 1);
}

/// Moves of 64 deals to one gap, on one node and a second one beside it where the database allows it.
fn many_movers_in_one_stage_leave_one_order(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (first, last) = (opened(&desk, "first"), opened(&desk, "last"));
    let deals: Vec<String> = (0..64).map(|number| opened(&desk, &number.to_string())).collect();
    let stage = &stages(&desk)[0];
    let second: Option<App> = (kind == DatabaseKind::Postgres).then(|| desk.app.again().start());
    let clients = [
        desk.client.clone(),
        second.as_ref().map_or(desk.client.clone(), |app| desk.client.at(app)),
    ];
    let replies = at_once(64, |number| {
        let body = json!({"stageId": stage, "after": first});
        clients[number % 2].post(&format!("{ALL}/{}/move", deals[number]), &body)
    });
    for reply in &replies {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    let order = in_order(&desk, stage);
    assert_eq!((order.len(), &*order[0], &*order[65]), (66, "first", "last"));
    assert_eq!(shown(&desk), counted(&desk));
    let _ = last;
}
