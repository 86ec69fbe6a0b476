//! The limit of deliveries: the load generator's own client posting what the service posts, to the same
//! receiver, each request signed anew.
//!
//! Only the signature of the contract is computed; that of Standard Webhooks beside it is a text of the
//! same length, which makes the limit a little harder than what the service does.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::ensure;
use ring::hmac::Key;
use tokio::runtime::Runtime;

use crate::http::Response;
use crate::load::{Load, Script, Tally, closed};
use crate::receiver::{Receiver, signature};

const PATH: &str = "/ok/limit";
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/// So that no two requests carry the same event.
static EVENTS: AtomicU64 = AtomicU64::new(0);

/// Posts deliveries in a closed loop.
pub(crate) fn run(
    runtime: &Runtime,
    receiver: &Receiver,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Tally> {
    runtime.block_on(async {
        receiver.forget().await?;
        receiver.expect(PATH, SECRET).await?;
        let load = Load { address: receiver.address(), connections, duration };
        let tally = closed::run(load, |_| PostScript::new()).await?;
        ensure!(tally.errors == 0, "the receiver failed: {:?}", tally.faults);
        let forged = receiver.forged().await?;
        ensure!(forged == 0, "the receiver found {forged} signatures wrong");
        // What it remembers of these is of no use to anybody.
        receiver.forget().await?;
        Ok(tally)
    })
}

struct PostScript {
    key: Key,
    body: String,
    head: String,
}

impl PostScript {
    fn new() -> Self {
        Self { key: signature::key(SECRET), body: String::new(), head: String::new() }
    }
}

impl Script for PostScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let number = EVENTS.fetch_add(1, Ordering::Relaxed);
        self.body.clear();
        self.head.clear();
        // Writing to a string cannot fail.
        let _ = write!(
            self.body,
            r#"{{"id":"evt_{number:026}","event":"order.created","createdAt":"2026-01-01T00:00:00.000Z","data":{{"id":"ord_{number:026}","status":"pending","total":39.98,"currency":"MXN"}}}}"#
        );
        let _ = write!(
            self.head,
            "POST {PATH} HTTP/1.1\r\nhost: 127.0.0.1:65535\r\ncontent-type: application/json\r\n\
             user-agent: trastienda/0.1.0\r\nx-service-event-id: evt_{number:026}\r\n\
             x-service-event: order.created\r\nx-service-delivery-id: dlv_{number:026}\r\n\
             x-service-attempt: 1\r\nwebhook-id: evt_{number:026}\r\n\
             webhook-timestamp: 1767225600\r\n\
             webhook-signature: v1,{:044}\r\ncontent-length: {}\r\nx-service-signature-256: ",
            0,
            self.body.len()
        );
        bytes.extend_from_slice(self.head.as_bytes());
        bytes.extend_from_slice(&signature::hex(&self.key, self.body.as_bytes()));
        bytes.extend_from_slice(b"\r\n\r\n");
        bytes.extend_from_slice(self.body.as_bytes());
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        match response.status {
            200 => Ok(()),
            status => Err(format!("the receiver answered {status}")),
        }
    }
}
