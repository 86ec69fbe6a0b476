//! The processes that serve and deliver, each of which may be killed.

use std::net::SocketAddr;
use std::path::Path;

use crate::database::postgres_server::PostgresServer;
use crate::random::SplitMix64;
use crate::service::Service;
use crate::service::process::ServiceOptions;
use crate::service::webhooks::DELIVER;
use crate::service::worker::Worker;

const WORKERS: usize = 3;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Victim {
    Server,
    Worker(usize),
    Postgres,
}

impl Victim {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Worker(_) => "worker",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// A server, on PostgreSQL with workers beside it.
#[derive(Debug)]
pub(crate) struct Fleet {
    options: ServiceOptions,
    service: Service,
    workers: Vec<(ServiceOptions, Worker)>,
    postgres: Option<PostgresServer>,
}

impl Fleet {
    /// One server that delivers by itself.
    pub(crate) fn alone(options: &ServiceOptions) -> anyhow::Result<Self> {
        let service = Service::start(options)?;
        Ok(Self { options: options.clone(), service, workers: Vec::new(), postgres: None })
    }

    /// A server and three workers.
    pub(crate) fn with_workers(
        options: &ServiceOptions,
        postgres: Option<PostgresServer>,
        folder: &Path,
        random: &mut SplitMix64,
    ) -> anyhow::Result<Self> {
        // The first start migrates the database.
        let service = Service::start(&with_delivery(options, random))?;
        let mut workers = Vec::new();
        for number in 1..=WORKERS {
            let log = folder.join(format!("worker-{number}.log"));
            let options = ServiceOptions { log, ..options.clone() };
            let worker = Worker::start(&options)?;
            workers.push((options, worker));
        }
        Ok(Self { options: options.clone(), service, workers, postgres })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// Draws who is killed next: first the kind, then which of them.
    pub(crate) fn draw(&self, random: &mut SplitMix64) -> Victim {
        let mut kinds = vec![Victim::Server];
        if !self.workers.is_empty() {
            kinds.push(Victim::Worker(random.below(self.workers.len())));
        }
        if self.postgres.is_some() {
            kinds.push(Victim::Postgres);
        }
        kinds.get(random.below(kinds.len())).copied().unwrap_or(Victim::Server)
    }

    /// Names of those that have ended though nobody killed them. Workers among them are started again.
    pub(crate) fn fallen(&mut self) -> anyhow::Result<Vec<&'static str>> {
        let mut fallen = Vec::new();
        anyhow::ensure!(self.service.is_running()?, "the server ended before it was killed");
        for (options, worker) in &mut self.workers {
            if !worker.is_running()? {
                fallen.push(Victim::Worker(0).name());
                *worker = Worker::start(options)?;
            }
        }
        Ok(fallen)
    }

    pub(crate) fn kill(&mut self, victim: Victim) -> anyhow::Result<()> {
        match victim {
            Victim::Server => self.service.kill(),
            Victim::Worker(number) => {
                self.workers.get_mut(number).map_or(Ok(()), |(_, worker)| worker.kill())
            }
            Victim::Postgres => self.postgres.as_ref().map_or(Ok(()), PostgresServer::kill),
        }
    }

    /// Starts again who was killed, and waits until the server is ready.
    pub(crate) fn restart(
        &mut self,
        victim: Victim,
        random: &mut SplitMix64,
    ) -> anyhow::Result<()> {
        match victim {
            Victim::Server if self.workers.is_empty() => {
                self.service = Service::start(&self.options)?;
            }
            Victim::Server => self.service = Service::start(&with_delivery(&self.options, random))?,
            Victim::Worker(number) => {
                if let Some((options, worker)) = self.workers.get_mut(number) {
                    *worker = Worker::start(options)?;
                }
            }
            Victim::Postgres => {
                if let Some(postgres) = &self.postgres {
                    postgres.start()?;
                }
            }
        }
        self.service.wait_until_ready()
    }
}

/// Beside workers the server delivers in one life and leaves it to them in another.
fn with_delivery(options: &ServiceOptions, random: &mut SplitMix64) -> ServiceOptions {
    let delivers = random.below(2) == 0;
    options.with(DELIVER, if delivers { "true" } else { "false" })
}
