//! One database with its server, its shop, and the means to measure them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::benchmark::Bench;
use crate::benchmark::shop::{self, Shop};
use crate::database::Database;
use crate::load::{Load, Script, Tally, closed, open};
use crate::process_usage::{memory, postgres_processor_time, processor_time};
use crate::service::process::ServiceOptions;
use crate::service::{Service, Tenant};
use crate::statistics::float;

/// A running server with products in its catalogue.
pub(crate) struct Stage<'a> {
    pub(crate) bench: &'a Bench<'a>,
    pub(crate) database: &'a Database,
    pub(crate) folder: PathBuf,
    pub(crate) options: ServiceOptions,
    pub(crate) service: Service,
    pub(crate) shop: Arc<Shop>,
    /// The best rate of orders seen on this stage.
    pub(crate) orders_per_second: Option<f64>,
}

/// One run of the load generator with the processor time that it took.
pub(crate) struct Measured {
    pub(crate) tally: Tally,
    server_time: Duration,
    database_time: Option<Duration>,
    generator_time: Duration,
}

impl<'a> Stage<'a> {
    pub(crate) fn set(
        bench: &'a Bench<'a>,
        database: &'a Database,
        folder: PathBuf,
        options: ServiceOptions,
        products: u32,
    ) -> anyhow::Result<Self> {
        // The first start migrates the database, which the administration needs.
        let service = Service::start(&options)?;
        let tenant = Tenant::create(&options)?;
        eprintln!("bench: filling {} with {products} products", database.name());
        let filled = shop::fill(service.address(), &tenant.api_key, products);
        let shop = Arc::new(bench.runtime.block_on(filled)?);
        database.analyze()?;
        Ok(Self { bench, database, folder, options, service, shop, orders_per_second: None })
    }

    /// Ends the server and starts it anew with other settings.
    pub(crate) fn restart(&mut self, options: &ServiceOptions) -> anyhow::Result<()> {
        self.service.stop()?;
        self.service = Service::start(options)?;
        Ok(())
    }

    /// The load of one measurement on the service.
    pub(crate) fn load(&self, connections: usize) -> Load {
        let duration = self.bench.plan.duration();
        Load { address: self.service.address(), connections, duration }
    }

    /// Measures the service in a closed loop.
    pub(crate) fn closed<S: Script>(
        &self,
        connections: usize,
        script: impl Fn(usize) -> S,
    ) -> anyhow::Result<Measured> {
        self.account(|| self.bench.runtime.block_on(closed::run(self.load(connections), script)))
    }

    /// Measures the service at a fixed rate.
    pub(crate) fn open<S: Script>(
        &self,
        connections: usize,
        rate: f64,
        script: impl Fn(usize) -> S,
    ) -> anyhow::Result<Measured> {
        self.account(|| {
            self.bench.runtime.block_on(open::run(self.load(connections), rate, script))
        })
    }

    /// Resident memory of the server at this moment, in MiB.
    pub(crate) fn resident_mib(&self) -> anyhow::Result<f64> {
        Ok(float(memory(self.service.pid())?.resident_kib) / 1024.0)
    }

    /// Runs something and notes the processor time that it took.
    pub(crate) fn account(
        &self,
        run: impl FnOnce() -> anyhow::Result<Tally>,
    ) -> anyhow::Result<Measured> {
        let own = std::process::id();
        let server = processor_time(self.service.pid())?;
        let generator = processor_time(own)?;
        let database = self.database_time();
        let tally = run()?;
        let after = self.database_time();
        Ok(Measured {
            tally,
            server_time: processor_time(self.service.pid())?.saturating_sub(server),
            database_time: after.zip(database).map(|(after, before)| after.saturating_sub(before)),
            generator_time: processor_time(own)?.saturating_sub(generator),
        })
    }

    fn database_time(&self) -> Option<Duration> {
        let data = self.bench.options.surroundings.postgres_data.as_ref()?;
        match self.database {
            Database::Sqlite { .. } => None,
            Database::Postgres { .. } => postgres_processor_time(data).ok(),
        }
    }
}

impl Measured {
    /// Processor time of the server for each answer, in microseconds.
    pub(crate) fn server_micros(&self) -> f64 {
        self.per_answer(self.server_time)
    }

    /// Processor time of the database's own processes for each answer, where it is known.
    pub(crate) fn database_micros(&self) -> Option<f64> {
        self.database_time.map(|time| self.per_answer(time))
    }

    /// Processor time of the load generator for each answer.
    pub(crate) fn generator_micros(&self) -> f64 {
        self.per_answer(self.generator_time)
    }

    /// Shares of one core that the server and the database's own processes have taken of so much time, in percent.
    pub(crate) fn percent_of(&self, elapsed: Duration) -> (f64, Option<f64>) {
        let percent = |time: Duration| 100.0 * time.as_secs_f64() / elapsed.as_secs_f64();
        (percent(self.server_time), self.database_time.map(percent))
    }

    fn per_answer(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / float(self.tally.answers.max(1))
    }
}
