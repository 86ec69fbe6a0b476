//! Periods that are invoiced by themselves.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{SETTINGS, Shop, daily, id, with};

on_both!(
    the_sales_of_a_day_are_invoiced_when_it_ends,
    a_week_over_the_end_of_a_year_is_invoiced_by_the_month,
    a_day_without_sales_makes_nothing,
    days_that_were_missed_are_caught_up,
    what_is_set_meanwhile_counts_for_the_next,
    drafts_are_left_to_be_looked_at,
);

fn the_sales_of_a_day_are_invoiced_when_it_ends(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let before = shop.sold();
    let set = shop.set(&with(daily(), &json!({"ticketsPerInvoice": 2})));
    assert_eq!(set["coveredUntil"], "2026-12-14T06:00:00.000Z");
    let [_, first, second] = [before.clone(), shop.sold(), shop.sold()];
    let unpaid = id(&shop.ordered());
    let own = shop.sold();
    let invoiced = shop.office.draft(&json!({"orderId": own, "paymentForm": "03"}));
    let cancelled = shop.sold();
    let changes = json!({"status": "cancelled", "reason": "rota", "refund": true});
    let _ = shop.office.client.patch(&format!("/orders/{cancelled}"), &changes).expect(200);
    let dollars = shop.office.product("MUG", 10.0, &json!({"currency": "USD"}));
    let abroad = id(&shop.office.order(&shop.customer, &[(&dollars, 1)]));
    shop.pay(&abroad);

    shop.wait_for("2026-12-15");
    let result = shop.result("2026-12-14/2026-12-14");
    let period = json!({"periodicity": "01", "months": "12", "year": 2026,
        "from": "2026-12-14", "to": "2026-12-14"});
    assert_eq!((&result["period"], &result["tickets"]), (&period, &json!(3)));
    assert_eq!(result["total"], 348);
    let [both, rest] = result["invoices"].as_array().unwrap().as_slice() else {
        panic!("{result}")
    };
    for (invoice, orders, total) in
        [(both, json!([before, first]), json!(232)), (rest, json!([second]), json!(116))]
    {
        assert_eq!((&invoice["status"], &invoice["error"]), (&json!("stamped"), &json!(null)));
        assert_eq!((&invoice["total"], &shop.orders(invoice)), (&total, &orders));
        assert_eq!(shop.stated(invoice), ["01", "12", "2026"]);
        let seen = shop.office.read(&id(invoice));
        assert_eq!(
            (&seen["paymentForm"], &seen["receiver"]["rfc"]),
            (&json!("01"), &json!("XAXX010101000"))
        );
    }
    assert_eq!(shop.orders(&invoiced), json!([own]), "its customer's invoice stays");
    assert_eq!(shop.office.credits(), (980, 0));

    // The next day is to come; what is paid then is its.
    let next = &shop.jobs("2026-12-15/2026-12-15")[0];
    assert_eq!((&next["status"], &next["cancellable"]), (&json!("queued"), &json!(false)));
    assert_eq!(next["nextAttemptAt"], "2026-12-16T06:01:00.000Z");
    shop.pay(&unpaid);
    shop.wait_for("2026-12-16");
    let result = shop.result("2026-12-15/2026-12-15");
    assert_eq!(shop.orders(&result["invoices"][0]), json!([unpaid]));
    let settings = shop.office.client.get(SETTINGS).expect(200);
    assert_eq!(settings["coveredUntil"], "2026-12-16T06:00:00.000Z");
}

fn a_week_over_the_end_of_a_year_is_invoiced_by_the_month(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-29");
    let _ = shop.set(&with(daily(), &json!({"periodicity": "02"})));
    let old = shop.sold();
    shop.wait_for("2027-01-01");
    let result = shop.result("2026-12-28/2026-12-31");
    let invoice = &result["invoices"][0];
    assert_eq!(
        (shop.orders(invoice), shop.stated(invoice)),
        (json!([old]), ["02", "12", "2026"].map(str::to_owned))
    );
    let new = shop.sold();
    shop.wait_for("2027-01-04");
    let result = shop.result("2027-01-01/2027-01-03");
    let invoice = &result["invoices"][0];
    assert_eq!(
        (shop.orders(invoice), shop.stated(invoice)),
        (json!([new]), ["02", "01", "2027"].map(str::to_owned))
    );
    assert_eq!(shop.jobs("2027-01-04/2027-01-10")[0]["status"], "queued");
}

fn a_day_without_sales_makes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&daily());
    shop.wait_for("2026-12-15");
    let result = shop.result("2026-12-14/2026-12-14");
    assert_eq!(
        (&result["invoices"], &result["tickets"], &result["total"]),
        (&json!([]), &json!(0), &json!(0))
    );
    assert_eq!(shop.office.client.get("/invoices").expect(200)["total"], 0);
    assert_eq!(shop.jobs("2026-12-15/2026-12-15")[0]["status"], "queued");
}

fn days_that_were_missed_are_caught_up(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&daily());
    let first = shop.sold();
    // For whoever works on what is due, the days in between have never been.
    shop.wait_for("2026-12-17");
    let result = shop.result("2026-12-14/2026-12-14");
    let invoice = &result["invoices"][0];
    assert_eq!(
        (shop.orders(invoice), shop.stated(invoice)),
        (json!([first]), ["01", "12", "2026"].map(str::to_owned))
    );
    // It is dated when it was made.
    let issued = shop.office.read(&id(invoice))["localIssuedAt"].as_str().unwrap().to_owned();
    assert!(issued.starts_with("2026-12-17T00:01"), "{issued}");
    for days in ["2026-12-15/2026-12-15", "2026-12-16/2026-12-16"] {
        assert_eq!(shop.result(days)["invoices"], json!([]));
    }
    assert_eq!(shop.jobs("2026-12-17/2026-12-17")[0]["status"], "queued");
}

fn what_is_set_meanwhile_counts_for_the_next(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&with(daily(), &json!({"periodicity": "04"})));
    let sold = shop.sold();
    assert_eq!(shop.jobs("2026-12-01/2026-12-31")[0]["nextAttemptAt"], "2027-01-01T06:01:00.000Z");
    shop.wait_for("2026-12-15");
    // From the month to the day: what was not looked at yet is.
    let set = shop.set(&with(daily(), &json!({"delayHours": 2, "stamp": false})));
    assert_eq!(set["coveredUntil"], "2026-12-14T06:00:00.000Z");
    assert_eq!(shop.jobs("2026-12-01/2026-12-31")[0]["status"], "cancelled");
    let job = &shop.jobs("2026-12-14/2026-12-14")[0];
    assert_eq!(job["nextAttemptAt"], "2026-12-15T08:00:00.000Z");
    shop.office.app.advance_seconds(2 * 3_600);
    let result = shop.result("2026-12-14/2026-12-14");
    assert_eq!(shop.orders(&result["invoices"][0]), json!([sold]));
    assert_eq!(result["invoices"][0]["status"], "draft");
    // Turned off, nothing follows.
    let off = shop.set(&with(daily(), &json!({"automatic": false})));
    assert_eq!(off["coveredUntil"], Value::Null);
    assert_eq!(shop.jobs("2026-12-15/2026-12-15")[0]["status"], "cancelled");
}

fn drafts_are_left_to_be_looked_at(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&with(daily(), &json!({"stamp": false})));
    let sold = shop.sold();
    shop.wait_for("2026-12-15");
    let draft = shop.result("2026-12-14/2026-12-14")["invoices"][0].clone();
    assert_eq!((&draft["status"], &draft["error"]), (&json!("draft"), &json!(null)));
    assert_eq!(shop.office.credits(), (1_000, 0));
    let message =
        shop.office.client.post("/invoices", &json!({"orderId": sold, "paymentForm": "03"}));
    let _ = message.refused(409, "order_already_invoiced");
    let stamped = shop.office.stamp(&id(&draft)).expect(200);
    assert_eq!((&stamped["status"], &stamped["total"]), (&json!("stamped"), &json!(116)));
}

#[test]
fn two_services_invoice_a_day_once() {
    let shop = Shop::open(DatabaseKind::Postgres, "2026-12-14");
    let second = shop.office.app.again().start();
    let _ = shop.set(&with(daily(), &json!({"ticketsPerInvoice": 1})));
    let sold: Vec<String> = (0..3).map(|_| shop.sold()).collect();
    for (day, days) in
        [("2026-12-15", "2026-12-14/2026-12-14"), ("2026-12-16", "2026-12-15/2026-12-15")]
    {
        shop.wait_for(day);
        let result = shop.result(days);
        assert_eq!(shop.jobs(days).len(), 1);
        let orders = result["invoices"].as_array().unwrap().iter().map(|one| shop.orders(one));
        let expected: Vec<Value> = match days.starts_with("2026-12-14") {
            true => sold.iter().map(|order| json!([order])).collect(),
            false => Vec::new(),
        };
        assert_eq!(orders.collect::<Vec<_>>(), expected);
    }
    assert_eq!(shop.office.client.get("/invoices").expect(200)["total"], 3);
    assert_eq!(shop.office.credits(), (970, 0));
    second.stop();
}
