//! What takes as long as a caller says is computed where nobody else waits for it.

use std::{thread, time::Instant};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::{
    issuer::BLACK,
    office::{Office, id},
};

on_both!(
    no_writer_computes_for_as_long_as_callers_say,
    uploads_that_take_long_take_no_time_of_writers,
);

/// A seal certificate that nobody issued, and its private key, encrypted with as many rounds as are worked through.
const SEAL: &str = include_str!("../../../../../tools/bench/src/chaos/tenants/seal.b64");
const SLOW_KEY: &str = include_str!("../../../../../tools/bench/src/chaos/tenants/slow-key.b64");
const LINES_MAX: usize = 500;
const BODY_BYTES: usize = 1_000_000;

fn slow_certificate() -> Value {
    json!({"certificate": SEAL.replace('\n', ""), "privateKey": SLOW_KEY.replace('\n', ""), "password": "not this one"})
}

/// A PNG of 18 MB of pixels.
fn large_picture() -> Vec<u8> {
    const SIDE: u32 = 1_500;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0x5a; SIDE as usize * SIDE as usize * 8]).unwrap();
    writer.finish().unwrap();
    file
}

fn no_writer_computes_for_as_long_as_callers_say(kind: DatabaseKind) {
    let office = Office::open(kind);
    let client = &office.client;
    let long = || office.app.gauge("long_computations_total");
    let mug = json!({"name": "Taza", "price": 1, "inventory": 5_000});
    let mug = id(&office.make("/products", &mug));
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let draft = office.sale(116.0);
    let certificate = slow_certificate();
    let items: Vec<Value> = vec![json!({"productId": mug, "quantity": 1}); LINES_MAX];
    let order = json!({"customerId": ana, "items": items});
    let large = json!({"name": "Grande", "price": 1, "description": "x".repeat(BODY_BYTES)});

    let upload = || client.post("/invoices/cfdi/issuer/certificates", &certificate);
    let logo = || client.send("PUT", "/invoices/cfdi/issuer/logo", &json!({"image": BLACK}));
    let print = || client.get(&format!("/invoices/{draft}/pdf"));
    let of_numbers: [(&dyn Fn() -> Reply, u16); 3] = [(&upload, 400), (&logo, 200), (&print, 200)];
    for (send, status) in of_numbers {
        let before = long();
        assert_eq!(send().status, status);
        assert!(long() > before, "it is known to take long");
    }
    // All of it at once, with what is large besides.
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert!(upload().status < 500));
            scope.spawn(|| assert!(logo().status < 500));
            scope.spawn(|| assert!(print().status < 500));
            scope.spawn(|| assert!(client.post("/products", &large).status < 500));
            scope.spawn(|| assert_eq!(client.post("/orders", &order).status, 201));
        }
    });
    assert!(office.app.gauge("long_computations_misplaced_total") == 0.0);
}

/// Nearly all of the time of such an upload is what is computed for it. If a writer did that, it would take as long.
fn uploads_that_take_long_take_no_time_of_writers(kind: DatabaseKind) {
    let office = Office::open(kind);
    let client = &office.client;
    let certificate = slow_certificate();
    let upload = || client.post("/invoices/cfdi/issuer/certificates", &certificate).status;
    let picture = json!({"image": BASE64_STANDARD.encode(large_picture())});
    let logo = || client.send("PUT", "/invoices/cfdi/issuer/logo", &picture).status;
    let of_writers = || office.app.gauge("store_batch_seconds_total");
    assert!(office.app.gauge("store_batch_longest_seconds") > 0.0);
    let uploads: [(&dyn Fn() -> u16, u16, u32); 2] = [(&upload, 400, 25), (&logo, 200, 3)];
    for (send, status, times) in uploads {
        let (before, began) = (of_writers(), Instant::now());
        (0..times).for_each(|_| assert_eq!(send(), status));
        let (written, all) = (of_writers() - before, began.elapsed().as_secs_f64());
        assert!(2.0 * written < all, "writers took {written} of {all} s");
    }
}
