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

/// As docs/operation.md has it.
const GENERAL: &str = "\
global
    maxconn 4096

defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout check 1s
";

/// The same, of each list of nodes.
const LIST: &str = "    \
    option forwardfor
    retry-on conn-failure
    option redispatch 1
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    http-check expect status 200
    default-server check inter 200ms fall 2 rise 2
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

/// The file that HAProxy reads.
fn configuration(addresses: &[(Routing, SocketAddr)], nodes: &[SocketAddr]) -> String {
    let mut text = GENERAL.to_owned();
    for (place, (routing, address)) in addresses.iter().enumerate() {
        let balance = routing.balance();
        // Writing to a string cannot fail.
        let _ = write!(text, "\nlisten list-{place}\n    bind {address}\n{balance}{LIST}");
        let count = if *routing == Routing::One { 1 } else { nodes.len() };
        for (number, node) in nodes.iter().enumerate().take(count) {
            let _ = writeln!(text, "    server node-{number} {node}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_a_list_of_its_own() {
        let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let addresses = [
            (Routing::ByTurns, address(1)),
            (Routing::ByKey, address(2)),
            (Routing::One, address(3)),
        ];
        let text = configuration(&addresses, &[address(7), address(8), address(9)]);
        assert!(text.starts_with(GENERAL));
        let start = |place: usize, port: usize, balance: &str| {
            format!("\nlisten list-{place}\n    bind 127.0.0.1:{port}\n    balance {balance}\n")
        };
        assert!(text.contains(&start(0, 1, "roundrobin")));
        assert!(text.contains(&start(1, 2, "hdr(Authorization)\n    hash-type consistent")));
        let last = start(2, 3, "roundrobin") + LIST + "    server node-0 127.0.0.1:7\n";
        assert!(text.ends_with(&last), "{text}");
        assert_eq!(text.matches("    server node-").count(), 7);
    }

    #[test]
    fn what_is_tried_is_what_is_documented() {
        let documented = include_str!("../../../../../docs/operation.md");
        let (_, documented) = documented.split_once("```haproxy\n").unwrap();
        let (documented, _) = documented.split_once("```").unwrap();
        let tried = [GENERAL, LIST, Routing::ByKey.balance()].concat();
        for line in tried.lines() {
            assert!(documented.lines().any(|known| known == line), "{line:?} is not documented");
        }
        let left_out = documented.lines().map(str::trim_start).filter(|line| {
            let is_place = ["frontend ", "backend ", "bind ", "default_backend ", "server ", "#"];
            let is_place = is_place.iter().any(|start| line.starts_with(start));
            !is_place && !tried.lines().any(|tried| tried.trim_start() == *line)
        });
        assert_eq!(left_out.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
