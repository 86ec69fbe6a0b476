//! The proxy before the nodes: HAProxy, which asks each whether it is ready.

use std::fmt::Write;
use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

use crate::service::readiness::{lasting_address, wait_for};

const START_PATIENCE: Duration = Duration::from_secs(10);

/// A node that stops says so half a second before it takes no more connections: it must be asked more often than that.
const GENERAL: &str = "\
global
    maxconn 4096

defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout check 1s
    option forwardfor
    option httpchk GET /readyz
    http-check expect status 200
    default-server inter 100ms fall 1 rise 1
    retries 3
    option redispatch 1
";

/// How the proxy chooses a node for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Routing {
    ByTurns,
    /// All requests of a key go to one node, and to another one when that is gone.
    ByKey,
    /// Always the first node.
    One,
}

impl Routing {
    pub(super) const ALL: [Self; 3] = [Self::ByTurns, Self::ByKey, Self::One];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ByTurns => "round robin",
            Self::ByKey => "hash of the key",
            Self::One => "one node",
        }
    }

    const fn balance(self) -> &'static str {
        match self {
            Self::ByTurns | Self::One => "    balance roundrobin\n",
            Self::ByKey => "    balance hdr(Authorization)\n    hash-type consistent\n",
        }
    }
}

/// The running proxy; killed when it goes out of scope.
#[derive(Debug)]
pub(super) struct Proxy {
    child: Child,
    addresses: Vec<(Routing, SocketAddr)>,
}

impl Proxy {
    /// Starts it before these nodes, and waits until each of its addresses leads to one.
    pub(super) fn start(
        program: &Path,
        folder: &Path,
        nodes: &[SocketAddr],
    ) -> anyhow::Result<Self> {
        let mut addresses = Vec::new();
        for routing in Routing::ALL {
            addresses.push((routing, lasting_address()?));
        }
        let (file, log) = (folder.join("haproxy.cfg"), File::create(folder.join("haproxy.log"))?);
        std::fs::write(&file, configuration(&addresses, nodes))?;
        let child = Command::new(program)
            .args(["-db", "-f"])
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| {
                format!(
                    "HAPROXY CANNOT BE STARTED ({}): install it (Debian: apt-get install haproxy), \
                     or name it in TRASTIENDA_BENCH_HAPROXY",
                    program.display()
                )
            })?;
        let mut proxy = Self { child, addresses };
        for (_, address) in &proxy.addresses {
            wait_for(&mut proxy.child, *address, "/readyz", START_PATIENCE)
                .with_context(|| format!("the proxy; its configuration is {}", file.display()))?;
        }
        Ok(proxy)
    }

    /// Where clients reach the nodes so.
    pub(super) fn address(&self, wanted: Routing) -> anyhow::Result<SocketAddr> {
        let found = self.addresses.iter().find(|(routing, _)| *routing == wanted);
        found.map(|(_, address)| *address).context("the proxy has no such address")
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The file that HAProxy reads. The first list of nodes is asked; the others go by what it says.
fn configuration(addresses: &[(Routing, SocketAddr)], nodes: &[SocketAddr]) -> String {
    let mut text = GENERAL.to_owned();
    for (place, (routing, address)) in addresses.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nlisten l{place}\n    bind {address}\n{}", routing.balance());
        let count = if *routing == Routing::One { 1 } else { nodes.len() };
        for (number, node) in nodes.iter().enumerate().take(count) {
            let checked =
                if place == 0 { "check".to_owned() } else { format!("track l0/n{number}") };
            let _ = writeln!(text, "    server n{number} {node} {checked}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_asked_by_one_list_and_known_to_all() {
        let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let addresses = [
            (Routing::ByTurns, address(1)),
            (Routing::ByKey, address(2)),
            (Routing::One, address(3)),
        ];
        let text = configuration(&addresses, &[address(7), address(8), address(9)]);
        assert!(text.starts_with(GENERAL));
        assert!(text.contains(
            "listen l0\n    bind 127.0.0.1:1\n    balance roundrobin\n    server n0 127.0.0.1:7 check\n"
        ));
        assert!(text.contains(
            "    balance hdr(Authorization)\n    hash-type consistent\n    server n0 127.0.0.1:7 track l0/n0\n"
        ));
        assert_eq!(text.matches(" check\n").count(), 3);
        assert_eq!(text.matches(" track l0/n").count(), 4);
    }
}
