//! The limit of reads: actix-web answering a static 1 KB of JSON, in a process of its own.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;

use crate::http::{Request, Response};
use crate::load::Script;
use crate::service::readiness::{free_address, wait_for};

const WORKERS: usize = 2;
const BODY_BYTES: usize = 1024;
const START_PATIENCE: Duration = Duration::from_secs(10);

/// Serves the static answer until the process is killed.
pub(crate) fn serve(listen: SocketAddr) -> anyhow::Result<()> {
    let body: web::Bytes = body().into();
    actix_web::rt::System::new().block_on(async move {
        let app = move || {
            let body = body.clone();
            let answer = move || {
                let answer = HttpResponse::Ok().content_type("application/json").body(body.clone());
                std::future::ready(answer)
            };
            App::new().route("/", web::get().to(answer))
        };
        HttpServer::new(app).workers(WORKERS).bind(listen)?.run().await
    })?;
    Ok(())
}

fn body() -> String {
    let frame = r#"{"data":""}"#.len();
    format!(r#"{{"data":"{}"}}"#, "x".repeat(BODY_BYTES - frame))
}

/// The running static server; killed when it goes out of scope.
#[derive(Debug)]
pub(crate) struct StaticServer {
    child: Child,
    address: SocketAddr,
}

impl StaticServer {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let address = free_address()?;
        let child = Command::new(std::env::current_exe()?)
            .args(["static", "--listen", &address.to_string()])
            .stdin(Stdio::null())
            .spawn()
            .context("starting the static server")?;
        let mut server = Self { child, address };
        wait_for(&mut server.child, address, "/", START_PATIENCE)?;
        Ok(server)
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for StaticServer {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks for the static answer, again and again.
pub(crate) struct StaticScript;

impl Script for StaticScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        Request::get("/", None).render_into(bytes);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let whole = response.status == 200
            && response.body.len() == BODY_BYTES
            && response.body.ends_with(b"\"}");
        whole.then_some(()).ok_or_else(|| format!("static answer: status {}", response.status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_static_answer_is_one_kilobyte_of_json() {
        let body = body();
        assert_eq!(body.len(), BODY_BYTES);
        serde_json::from_str::<serde_json::Value>(&body).unwrap();
    }
}
