//! Every setting of the service, declared once.
//!
//! The declaration below is the source of the flags, the environment variables, the names in the
//! settings file, the defaults, `--help` and `trastienda config`. A flag wins over the environment, the
//! environment over the file, the file over the default.

pub mod database_url;
mod declare;
pub mod invoices_values;
pub mod limits_url;
pub mod sources;
pub mod value;
pub mod webhooks_values;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

pub use database_url::DatabaseUrl;
use invoices::testers::Testers;
pub use invoices_values::{PublicUrl, Sender, ServiceUrl, SmtpUrl};
pub use limits_url::LimitsUrl;
use outbound::{collect, counting, pac};
pub use sources::{BadSetting, Origin, Sources};
pub use value::{Brand, LogFilter, LogFormat, Origins, Proxies, Value, Whole};
pub use webhooks_values::{Delays, MasterKeys, Switch};

use crate::{certifying::Certifying, delivering::Delivering, mailing::Mailing};

/// Settings of an operator of this size stay far below it; more is a slip of the hand.
const COUNT_MAX: u32 = 1_000_000_000;
const DAY_SECONDS: u32 = 86_400;

declare::settings! {
    "Addresses" {
        /// IP address and port of the API; port 0 picks a free one
        listen: SocketAddr ["TRASTIENDA_LISTEN", "ADDRESS:PORT"]
            = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
        /// IP address and port of the Prometheus metrics, or none; do not expose it to the internet
        metrics_listen: Option<SocketAddr> ["TRASTIENDA_METRICS_LISTEN", "ADDRESS:PORT"] = None;
        /// Trusted reverse proxies, whose X-Forwarded-For is used: comma-separated addresses or networks
        trusted_proxies: Proxies ["TRASTIENDA_TRUSTED_PROXIES", "NETWORKS"] = Proxies::default();
        /// Address at which the public reaches the service, for the links that it gives out; by default the one that the request was sent to
        public_url: Option<PublicUrl> ["TRASTIENDA_PUBLIC_URL", "URL"] = None;
        /// Origins whose web pages may call the API from a browser, with their scheme and comma-separated, or * for all; a key in a public page is public
        cors_origins: Origins ["TRASTIENDA_CORS_ORIGINS", "ORIGINS"] = Origins::default();
        /// PEM file with the certificate and its chain, to serve HTTPS; with tls_key, and read again on SIGHUP
        tls_cert: Option<PathBuf> ["TRASTIENDA_TLS_CERT", "FILE"] = None;
        /// PEM file with the private key of tls_cert
        tls_key: Option<PathBuf> ["TRASTIENDA_TLS_KEY", "FILE"] = None;
    }
    "Data" {
        /// Folder for the SQLite database, the master key and the demo's API key; created if missing
        data_dir: PathBuf ["TRASTIENDA_DATA_DIR", "FOLDER"] = PathBuf::from("./data");
        /// Folder for files that are kept until their imports end; several processes on one PostgreSQL must share it
        files_dir: PathBuf ["TRASTIENDA_FILES_DIR", "FOLDER"] = data_dir.join("files");
        /// sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE; flags are visible to every user of the machine, so pass passwords in the environment
        database_url: DatabaseUrl ["TRASTIENDA_DATABASE_URL", "URL"] = DatabaseUrl::in_folder(&data_dir);
        /// Whether serve and worker apply missing migrations when they start: true, or false if `trastienda migrate` does; a database that lacks one is refused then
        migrate: Switch ["TRASTIENDA_MIGRATE", "BOOL"] = Switch(true);
        /// Timeout for obtaining a database connection, in seconds
        database_connect_timeout_seconds: Whole<1, 300>
            ["TRASTIENDA_DATABASE_CONNECT_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(5);
        /// Timeout for a database statement, in seconds
        database_statement_timeout_seconds: Whole<1, 3600>
            ["TRASTIENDA_DATABASE_STATEMENT_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(10);
        /// Timeout for rows that another connection keeps locked, in seconds, on PostgreSQL; commands that share a connection give way to those of other accounts after a tenth of it, and are tried again until the statement timeout is over
        database_lock_timeout_seconds: Whole<1, 3600>
            ["TRASTIENDA_DATABASE_LOCK_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(2);
        /// Timeout for a write transaction whose node has stopped sending, in seconds, on PostgreSQL, which then undoes it
        database_idle_in_transaction_timeout_seconds: Whole<1, 3600>
            ["TRASTIENDA_DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(2);
        /// Write connections on PostgreSQL; SQLite has one
        database_writers: Whole<1, 256> ["TRASTIENDA_DATABASE_WRITERS", "N"]
            = Whole::near(cores().clamp(4, 8));
        /// Threads that read, with a connection each, on PostgreSQL with one more for look-ups
        database_readers: Whole<1, 256> ["TRASTIENDA_DATABASE_READERS", "N"]
            = Whole::near(cores().clamp(4, 8));
        /// Hours for which a repeat with the same Idempotency-Key gets the original response
        idempotency_retention_hours: Whole<1, 8760>
            ["TRASTIENDA_IDEMPOTENCY_RETENTION_HOURS", "HOURS"] = Whole::near(24);
        /// Days for which it is kept what keys have asked for
        request_retention_days: Whole<1, 3650> ["TRASTIENDA_REQUEST_RETENTION_DAYS", "DAYS"]
            = Whole::near(30);
    }
    "Keys and limits" {
        /// Prefix of API keys and delivery headers; after a change, keys with the old prefix stop working
        brand: Brand ["TRASTIENDA_BRAND", "WORD"] = Brand::default();
        /// Requests per minute allowed for each client address
        ip_rate_per_minute: Whole<1, COUNT_MAX> ["TRASTIENDA_IP_RATE_PER_MINUTE", "N"] = Whole::near(60);
        /// Requests per hour allowed for each API key, unless the key has its own rate
        key_rate_per_hour: Whole<1, COUNT_MAX> ["TRASTIENDA_KEY_RATE_PER_HOUR", "N"]
            = Whole::near(3_600);
        /// Valkey or Redis that counts these for all nodes, redis://:PASSWORD@HOST:PORT/DATABASE or rediss:// for TLS, or none: each node counts alone; pass it in the environment
        limits_url: Option<LimitsUrl> ["TRASTIENDA_LIMITS_URL", "URL"] = None;
        /// Largest request body, in bytes
        body_bytes_max: Whole<1024, COUNT_MAX> ["TRASTIENDA_BODY_BYTES_MAX", "BYTES"]
            = Whole::near(1_048_576);
        /// Timeout for receiving a request body, in seconds
        body_timeout_seconds: Whole<1, DAY_SECONDS> ["TRASTIENDA_BODY_TIMEOUT_SECONDS", "SECONDS"]
            = Whole::near(10);
        /// Timeout for a client to take the next 64 KiB of an answer, in seconds, after which its connection is cut; files that are made while they are sent may wait twice as long
        answer_timeout_seconds: Whole<1, DAY_SECONDS> ["TRASTIENDA_ANSWER_TIMEOUT_SECONDS", "SECONDS"]
            = Whole::near(30);
        /// Timeout for processing a request, in seconds, after which it is answered with 503
        request_timeout_seconds: Whole<1, DAY_SECONDS>
            ["TRASTIENDA_REQUEST_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(15);
    }
    "Webhooks" {
        /// Whether this process delivers events: true, or false if `trastienda worker` does
        deliver: Switch ["TRASTIENDA_DELIVER", "BOOL"] = Switch(true);
        /// Key that encrypts stored secrets: 32 bytes in Base64, followed by any previous keys, comma-separated. By default it is generated and kept in data_dir/master.key
        master_key: MasterKeys ["TRASTIENDA_MASTER_KEY", "KEY"] = MasterKeys::default();
        /// Timeout for an endpoint's complete response, in seconds
        delivery_timeout_seconds: Whole<1, 60> ["TRASTIENDA_DELIVERY_TIMEOUT_SECONDS", "SECONDS"]
            = Whole::near(5);
        /// Delays before each delivery attempt, in seconds since the previous one; the first is 0
        delivery_schedule_seconds: Delays ["TRASTIENDA_DELIVERY_SCHEDULE_SECONDS", "LIST"]
            = Delays::default();
        /// Consecutive failed attempts after which an endpoint is disabled
        endpoint_failures_max: Whole<1, COUNT_MAX> ["TRASTIENDA_ENDPOINT_FAILURES_MAX", "N"]
            = Whole::near(100);
        /// Maximum concurrent requests to one endpoint
        endpoint_requests_max: Whole<1, 10_000> ["TRASTIENDA_ENDPOINT_REQUESTS_MAX", "N"]
            = Whole::near(64);
        /// Maximum concurrent requests to all endpoints
        delivery_requests_max: Whole<16, 100_000> ["TRASTIENDA_DELIVERY_REQUESTS_MAX", "N"]
            = Whole::near(1_024);
        /// Threads that deliver events
        delivery_workers: Whole<1, 1024> ["TRASTIENDA_DELIVERY_WORKERS", "N"] = Whole::near(cores());
        /// For development only: true allows endpoints that use http:// or are on this machine
        allow_local_endpoints: Switch ["TRASTIENDA_ALLOW_LOCAL_ENDPOINTS", "BOOL"] = Switch(false);
        /// PEM file with additional trusted certificate authorities, or none
        ca_file: Option<PathBuf> ["SSL_CERT_FILE", "FILE"] = None;
        /// Hours for which deliveries are also signed with a webhook's previous secret after a rotation
        secret_overlap_hours: Whole<0, 8760> ["TRASTIENDA_SECRET_OVERLAP_HOURS", "HOURS"]
            = Whole::near(24);
        /// Days for which events and finished deliveries are kept
        event_retention_days: Whole<1, 3650> ["TRASTIENDA_EVENT_RETENTION_DAYS", "DAYS"]
            = Whole::near(30);
    }
    "Invoices" {
        /// Timeout for a certification provider to stamp or cancel, in seconds
        provider_timeout_seconds: Whole<1, 120> ["TRASTIENDA_PROVIDER_TIMEOUT_SECONDS", "SECONDS"]
            = Whole::near(10);
        /// Address of the provider SW sapien; its test environment is services.test.sw.com.mx
        sw_url: ServiceUrl ["TRASTIENDA_SW_URL", "URL"] = ServiceUrl(pac::SW_PRODUCTION.to_owned());
        /// Address of the provider Finkok; its test environment is demo-facturacion.finkok.com
        finkok_url: ServiceUrl ["TRASTIENDA_FINKOK_URL", "URL"]
            = ServiceUrl(pac::FINKOK_PRODUCTION.to_owned());
        /// Address of SAT's invoice status service
        sat_status_url: ServiceUrl ["TRASTIENDA_SAT_STATUS_URL", "URL"]
            = ServiceUrl(pac::SAT_PRODUCTION.to_owned());
        /// Mail server for sending invoices, smtps://USER:PASSWORD@HOST:PORT, or none; pass it in the environment
        smtp_url: Option<SmtpUrl> ["TRASTIENDA_SMTP_URL", "URL"] = None;
        /// Sender address of mail, or none
        mail_from: Option<Sender> ["TRASTIENDA_MAIL_FROM", "ADDRESS"] = None;
        /// Whom test accounts may send mail to: comma-separated addresses and domains such as @example.com, or none
        test_mail_to: Testers ["TRASTIENDA_TEST_MAIL_TO", "LIST"] = Testers::default();
    }
    "Payments" {
        /// Address of the payment provider Stripe, for tests and for production
        stripe_url: ServiceUrl ["TRASTIENDA_STRIPE_URL", "URL"] = ServiceUrl(collect::STRIPE.to_owned());
        /// Address of the payment provider Conekta, for tests and for production
        conekta_url: ServiceUrl ["TRASTIENDA_CONEKTA_URL", "URL"]
            = ServiceUrl(collect::CONEKTA.to_owned());
        /// Address of the payment provider Mercado Pago, for tests and for production
        mercadopago_url: ServiceUrl ["TRASTIENDA_MERCADOPAGO_URL", "URL"]
            = ServiceUrl(collect::MERCADO_PAGO.to_owned());
    }
    "Process" {
        /// Threads that answer requests; one per core by default
        http_workers: Whole<1, 1024> ["TRASTIENDA_HTTP_WORKERS", "N"] = Whole::near(cores());
        /// Maximum open connections; further ones wait to be accepted
        connections_max: Whole<1, COUNT_MAX> ["TRASTIENDA_CONNECTIONS_MAX", "N"] = Whole::near(10_000);
        /// Timeout for requests in progress to finish at shutdown, in seconds
        shutdown_timeout_seconds: Whole<1, DAY_SECONDS>
            ["TRASTIENDA_SHUTDOWN_TIMEOUT_SECONDS", "SECONDS"] = Whole::near(30);
        /// Log format on standard error: human or json
        log_format: LogFormat ["TRASTIENDA_LOG_FORMAT", "FORM"] = LogFormat::Human;
        /// Log level (error, warn, info, debug, trace) or a filter such as info,store=debug
        log: LogFilter ["TRASTIENDA_LOG", "FILTER"] = LogFilter::default();
    }
}

/// What a stamping takes beside its calls to the provider, at most.
const RECORD_TIME: Duration = Duration::from_secs(10);

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

impl Settings {
    /// How the store is opened by commands, which seal nothing; see [`crate::master_key`].
    #[must_use]
    pub fn store(&self) -> store::Settings {
        store::Settings {
            url: self.database_url.reveal().to_owned(),
            connect_timeout: self.database_connect_timeout_seconds.seconds(),
            statement_timeout: self.database_statement_timeout_seconds.seconds(),
            lock_timeout: self.database_lock_timeout_seconds.seconds(),
            idle_in_transaction_timeout: self
                .database_idle_in_transaction_timeout_seconds
                .seconds(),
            writers: self.database_writers.count(),
            readers: self.database_readers.count(),
            idempotency_retention: self.idempotency_retention_hours.hours(),
            master_keys: Vec::new(),
            secret_overlap: self.secret_overlap_hours.hours(),
            event_retention: self.event_retention_days.days(),
            request_retention: self.request_retention_days.days(),
        }
    }

    /// How the API behaves.
    #[must_use]
    pub fn api(&self) -> api::Settings {
        api::Settings {
            brand: self.brand.as_str().to_owned(),
            body_bytes_max: self.body_bytes_max.count(),
            body_timeout: self.body_timeout_seconds.seconds(),
            answer_timeout: self.answer_timeout_seconds.seconds(),
            request_timeout: self.request_timeout_seconds.seconds(),
            twin_timeout: api::TWIN_TIMEOUT,
            key_cache_ttl: api::KEY_CACHE_TTL,
            ip_rate_per_minute: self.ip_rate_per_minute.get(),
            key_rate_per_hour: self.key_rate_per_hour.get(),
            trusted_proxies: self.trusted_proxies.0.clone(),
            public_url: self.public_url.as_ref().map(|url| url.0.clone()),
            allowed_origins: self.cors_origins.0.clone(),
            reach: self.reach(),
            schedule: self.delivery_schedule_seconds.schedule(),
            exchange_timeout: self.delivery_timeout_seconds.seconds(),
            failures_max: self.endpoint_failures_max.get(),
            // A call, the question what became of it, and the records of both.
            provider_timeout: self.provider_timeout_seconds.seconds() * 2 + RECORD_TIME,
        }
    }

    /// How events are delivered.
    #[must_use]
    pub fn delivering(&self) -> Delivering {
        let dispatch = dispatch::Settings {
            brand: self.brand.as_str().to_owned(),
            schedule: self.delivery_schedule_seconds.schedule(),
            failures_max: self.endpoint_failures_max.get(),
            exchange_timeout: self.delivery_timeout_seconds.seconds(),
            in_flight_max: self.delivery_requests_max.count(),
            account_in_flight_max: self.delivery_requests_max.count().div_ceil(2),
            endpoint_in_flight_max: self.endpoint_requests_max.count(),
            workers: self.delivery_workers.count(),
            ..dispatch::Settings::default()
        };
        let outbound = outbound::Settings {
            reach: self.reach(),
            exchange_timeout: self.delivery_timeout_seconds.seconds(),
            ca_file: self.ca_file.clone(),
            // All endpoints of an account may be at one host: closing what the next delivery needs again
            // costs more than the delivery.
            idle_per_host: self.delivery_requests_max.count().div_ceil(2),
            ..outbound::Settings::default()
        };
        Delivering { dispatch, outbound }
    }

    /// How invoices are stamped and cancelled.
    #[must_use]
    pub fn certifying(&self) -> Certifying {
        let timeout = self.provider_timeout_seconds.seconds();
        Certifying {
            tasks: dispatch::TaskSettings::default(),
            engine: dispatch::CertificationSettings { provider_timeout: timeout },
            providers: pac::Settings {
                sw_url: self.sw_url.0.clone(),
                finkok_url: self.finkok_url.0.clone(),
                sat_url: self.sat_status_url.0.clone(),
                timeout,
                ca_file: self.ca_file.clone(),
            },
        }
    }

    /// Where the payment providers are.
    #[must_use]
    pub fn collectors(&self) -> collect::Settings {
        collect::Settings {
            stripe_url: self.stripe_url.0.clone(),
            conekta_url: self.conekta_url.0.clone(),
            mercadopago_url: self.mercadopago_url.0.clone(),
            public_url: self.public_url.as_ref().map(|url| url.0.clone()),
            ca_file: self.ca_file.clone(),
            ..collect::Settings::default()
        }
    }

    /// Where rate limits are counted for all nodes, unless each counts alone.
    #[must_use]
    pub fn counting(&self) -> Option<counting::Settings> {
        let LimitsUrl(address) = self.limits_url.clone()?;
        let prefix = self.brand.as_str().to_owned();
        let ca_file = self.ca_file.clone();
        Some(counting::Settings { address, prefix, patience: counting::PATIENCE, ca_file })
    }

    /// How mail is sent.
    ///
    /// # Errors
    /// When only one of `smtp_url` and `mail_from` is set.
    pub fn mail(&self) -> anyhow::Result<Mailing> {
        let server = match (&self.smtp_url, &self.mail_from) {
            (None, None) => None,
            (Some(url), Some(from)) => Some(outbound::mail::Settings {
                smtp_url: url.0.clone(),
                from: from.0.clone(),
                timeout: self.provider_timeout_seconds.seconds(),
                ca_file: self.ca_file.clone(),
            }),
            _ => anyhow::bail!("smtp_url and mail_from must be set together: set both or neither"),
        };
        Ok(Mailing { server, testers: self.test_mail_to.clone() })
    }

    fn reach(&self) -> webhooks::Reach {
        if self.allow_local_endpoints.0 {
            webhooks::Reach::Development
        } else {
            webhooks::Reach::Public
        }
    }
}

#[cfg(test)]
mod tests;
