//! Two merchants, and some hours of their work.

use std::{sync::Arc, time::Duration};

use testkit::{App, Database, DatabaseKind, FakePac, FakeSmtp, Receiver};

use crate::{approvals, audience, journal::Journal, merchant::Merchant, office, shop, stock};

/// What is left at the end: the database of a service that was stopped, and what its merchants know.
pub(crate) fn tell(kind: DatabaseKind) -> (Arc<Database>, Journal) {
    let (receiver, smtp) = (Receiver::start(), FakeSmtp::start());
    let mail = outbound::mail::Settings {
        smtp_url: smtp.url(),
        from: "Tienda <ventas@tienda.example>".to_owned(),
        timeout: Duration::from_secs(10),
        ca_file: None,
    };
    let app = App::with(kind).delivering().mail(mail).start();
    app.hold_clock();
    let mut first = Merchant::open(&app, "first");
    let mut second = Merchant::open(&app, "second");

    audience::work(&app, &receiver, &mut first);
    let ready = shop::work(&mut first);
    let _ = shop::work(&mut second);
    stock::work(&mut first, &ready);
    approvals::work(&app, &mut first, &ready);
    office::work(&app, &mut first, &ready);
    office::work_elsewhere(&app, &mut second, (FakePac::USER, FakePac::PASSWORD));

    // The node that delivers is down when the release ends.
    let quiet = app.again().not_delivering();
    app.stop();
    let app = quiet.start();
    for merchant in [&mut first, &mut second] {
        merchant.client = merchant.client.at(&app);
    }
    app.advance_seconds(1);
    audience::be_left_waiting(&mut first);

    let journal = Journal::of(&app, [first, second]);
    let database = Arc::clone(&app.database);
    app.stop();
    (database, journal)
}
