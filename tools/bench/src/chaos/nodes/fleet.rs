//! The nodes: processes that serve one database, each at an address that it keeps through all its lives.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use tokio::task;

use crate::process_usage::processor_time;
use crate::service::Service;
use crate::service::process::ServiceOptions;
use crate::service::readiness::lasting_address;

pub(super) const NODES: usize = 3;

/// One of them.
#[derive(Debug)]
struct Node {
    options: ServiceOptions,
    address: SocketAddr,
    service: Service,
}

impl Node {
    fn start(options: ServiceOptions, address: SocketAddr) -> anyhow::Result<Self> {
        let service = Service::start_at(&options, address)?;
        Ok(Self { options, address, service })
    }

    fn start_again(&mut self) -> anyhow::Result<()> {
        self.service = Service::start_at(&self.options, self.address)?;
        Ok(())
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Fleet {
    nodes: Vec<Node>,
}

impl Fleet {
    pub(super) fn start(options: &ServiceOptions, folder: &Path) -> anyhow::Result<Self> {
        let mut nodes = Vec::new();
        // The first one migrates the database.
        for number in 0..NODES {
            let options = ServiceOptions {
                database_url: named(&options.database_url, &name(number)),
                log: folder.join(format!("{}.log", name(number))),
                ..options.clone()
            };
            nodes.push(Node::start(options, lasting_address()?)?);
        }
        Ok(Self { nodes })
    }

    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    pub(super) fn address(&self, number: usize) -> anyhow::Result<SocketAddr> {
        Ok(self.node(number)?.address)
    }

    /// Names of those that have ended though nobody ended them.
    pub(super) fn fallen(&mut self) -> anyhow::Result<Vec<String>> {
        let mut fallen = Vec::new();
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if !node.service.is_running()? {
                fallen.push(name(number));
            }
        }
        Ok(fallen)
    }

    /// `kill -9`.
    pub(super) fn kill(&mut self, number: usize) -> anyhow::Result<()> {
        let node = self.nodes.get_mut(number).context("no such node")?;
        node.service.kill()
    }

    /// Starts a node that has ended; the time until it was ready.
    pub(super) async fn start_again(&mut self, number: usize) -> anyhow::Result<Duration> {
        self.beside_clients(number, Node::start_again).await?;
        Ok(self.node(number)?.service.ready_after())
    }

    /// Asks a node to stop, waits until it has, and starts it again; the time from then until it was ready.
    pub(super) async fn restart(&mut self, number: usize) -> anyhow::Result<Duration> {
        let restart = |node: &mut Node| {
            node.service.stop()?;
            node.start_again()
        };
        self.beside_clients(number, restart).await?;
        Ok(self.node(number)?.service.ready_after())
    }

    /// Stops the clock of a node.
    pub(super) fn pause(&self, number: usize) -> anyhow::Result<()> {
        self.node(number)?.service.signal("-STOP")
    }

    pub(super) fn go_on(&self, number: usize) -> anyhow::Result<()> {
        self.node(number)?.service.signal("-CONT")
    }

    /// Processor time that all of them have used since their last starts.
    pub(super) fn processor_time(&self) -> anyhow::Result<Duration> {
        self.nodes.iter().map(|node| processor_time(node.service.pid())).sum()
    }

    fn node(&self, number: usize) -> anyhow::Result<&Node> {
        self.nodes.get(number).context("no such node")
    }

    /// Does what takes a while with a node on another thread: clients of this one go on.
    async fn beside_clients(
        &mut self,
        number: usize,
        work: impl FnOnce(&mut Node) -> anyhow::Result<()> + Send + 'static,
    ) -> anyhow::Result<()> {
        anyhow::ensure!(number < self.nodes.len(), "no such node");
        let mut node = self.nodes.remove(number);
        let working = task::spawn_blocking(move || {
            let outcome = work(&mut node);
            (node, outcome)
        });
        let (node, outcome) = working.await?;
        self.nodes.insert(number, node);
        outcome
    }
}

/// What a node is called by its logs and by the database.
pub(super) fn name(number: usize) -> String {
    format!("node-{number}")
}

/// An address of a database that tells it who connects.
fn named(url: &str, name: &str) -> String {
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}application_name={name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_tells_the_database_its_name() {
        assert_eq!(named("postgres://h/x", "node-1"), "postgres://h/x?application_name=node-1");
        assert_eq!(named("postgres://h/x?a=b", "n"), "postgres://h/x?a=b&application_name=n");
    }
}
