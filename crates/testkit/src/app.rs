//! The whole service in this process, on a free port and a fresh database.

use std::{
    sync::Arc,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use accounts::{Accounts, NewApiKey, Scopes, service::CreateApiKey};
use api::{Clock, SystemClock, endpoint::Endpoint};
use invoices::testers::Testers;
use kernel::{AccountId, Mode, Timestamp};
use outbound::{collect, counting};
use server::{Certifying, Delivering, Mailing, Running, Service};

use crate::{Client, Database, DatabaseKind, FakePac, FakeStripe, invoicing};

/// The domains of the tests' addresses.
const TESTERS: &str = "@example.com,@shop.example,@tienda.example,@uni.example";

/// A running service.
pub struct App {
    running: Option<Running>,
    clock: Arc<TestClock>,
    plan: Plan,
    /// Its database.
    pub database: Arc<Database>,
}

/// A clock that tests can move and hold.
#[derive(Debug, Default)]
struct TestClock {
    ahead_micros: AtomicI64,
    /// The time at which the system's clock is held; 0 while it runs.
    held_micros: AtomicI64,
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let base = match self.held_micros.load(Ordering::Relaxed) {
            0 => SystemClock.now().micros(),
            held => held,
        };
        Timestamp::from_micros(base + self.ahead_micros.load(Ordering::Relaxed))
    }
}

/// How a service is started.
pub struct Builder {
    place: Place,
    plan: Plan,
}

/// Where it is started.
enum Place {
    Fresh(DatabaseKind),
    Known { database: Arc<Database>, clock: Arc<TestClock> },
}

/// What it is started with.
#[derive(Clone)]
struct Plan {
    api: api::Settings,
    delivering: Option<Delivering>,
    certifying: Certifying,
    collectors: collect::Settings,
    mail: Option<outbound::mail::Settings>,
    /// Who counts rate limits for several of it.
    counting: Option<counting::Settings>,
    /// Whom test accounts may send mail to.
    testers: Testers,
    /// Whether providers outside are faked.
    has_pac: bool,
    master_keys: Option<Vec<store::MasterKey>>,
    further: fn() -> Vec<Endpoint>,
}

impl Plan {
    /// The tests' usual settings: without limits, and nothing is delivered.
    fn usual() -> Self {
        let unlimited = 1_000_000_000;
        let api = api::Settings {
            ip_rate_per_minute: unlimited,
            key_rate_per_hour: unlimited,
            ..api::Settings::default()
        };
        let certifying = invoicing::certifying();
        Self {
            api,
            delivering: None,
            certifying,
            collectors: collect::Settings::default(),
            mail: None,
            counting: None,
            testers: Testers::parse(TESTERS).expect("domains"),
            has_pac: false,
            master_keys: None,
            further: Vec::new,
        }
    }
}

impl Builder {
    /// Other settings of the API than the tests' usual ones, which limit nothing.
    #[must_use]
    pub fn api(mut self, change: impl FnOnce(&mut api::Settings)) -> Self {
        change(&mut self.plan.api);
        self
    }

    /// Offers these endpoints beside the API's own.
    #[must_use]
    pub fn offering(mut self, further: fn() -> Vec<Endpoint>) -> Self {
        self.plan.further = further;
        self
    }

    /// Delivers events to endpoints on this machine, looking around quickly because the clock may be moved.
    #[must_use]
    pub fn delivering(self) -> Self {
        self.delivering_with(|_| {})
    }

    /// The same with other settings.
    #[must_use]
    pub fn delivering_with(mut self, change: impl FnOnce(&mut Delivering)) -> Self {
        self.plan.api.reach = webhooks::Reach::Development;
        let mut delivering = Delivering {
            dispatch: dispatch::Settings {
                sweep_interval: Duration::from_millis(50),
                ..dispatch::Settings::default()
            },
            outbound: outbound::Settings {
                reach: webhooks::Reach::Development,
                ..outbound::Settings::default()
            },
        };
        change(&mut delivering);
        self.plan.delivering = Some(delivering);
        self
    }

    /// Delivers nothing; webhooks may be on this machine all the same.
    #[must_use]
    pub fn not_delivering(mut self) -> Self {
        self.plan.api.reach = webhooks::Reach::Development;
        self.plan.delivering = None;
        self
    }

    /// Stamps and cancels otherwise than with the tests' usual settings: polling often for due work, with short
    /// provider timeouts.
    #[must_use]
    pub fn certifying_with(mut self, change: impl FnOnce(&mut Certifying)) -> Self {
        change(&mut self.plan.certifying);
        self
    }

    /// Calls this fake in place of every provider and of the tax authority.
    #[must_use]
    pub fn pac(mut self, pac: &FakePac) -> Self {
        self.plan.has_pac = true;
        let url = pac.url();
        self.certifying_with(|certifying| {
            certifying.providers.sw_url.clone_from(&url);
            certifying.providers.finkok_url.clone_from(&url);
            certifying.providers.sat_url = url;
        })
    }

    /// Calls payment providers elsewhere than where they are.
    #[must_use]
    pub fn collecting_with(mut self, change: impl FnOnce(&mut collect::Settings)) -> Self {
        change(&mut self.plan.collectors);
        self
    }

    /// Calls this fake in place of Stripe.
    #[must_use]
    pub fn stripe(self, stripe: &FakeStripe) -> Self {
        self.collecting_with(|collectors| collectors.stripe_url = stripe.url())
    }

    /// Sends mail.
    #[must_use]
    pub fn mail(mut self, settings: outbound::mail::Settings) -> Self {
        self.plan.mail = Some(settings);
        self
    }

    /// Counts rate limits together with others that count there, however long that takes.
    #[must_use]
    pub fn counting_at(mut self, url: &str) -> Self {
        let address = counting::Address::parse(url).expect("the address of a server");
        let (prefix, patience) = (self.plan.api.brand.clone(), Duration::from_secs(60));
        self.plan.counting = Some(counting::Settings { address, prefix, patience, ca_file: None });
        self
    }

    /// Lets test accounts send mail to these alone, instead of all addresses of the tests.
    #[must_use]
    pub fn testers(mut self, testers: &str) -> Self {
        self.plan.testers = Testers::parse(testers).expect("addresses and domains");
        self
    }

    /// Other keys to seal secrets with.
    #[must_use]
    pub fn master_keys(mut self, keys: Vec<store::MasterKey>) -> Self {
        self.plan.master_keys = Some(keys);
        self
    }

    /// Starts it.
    #[must_use]
    pub fn start(self) -> App {
        let Self { place, plan } = self;
        let (database, clock) = match place {
            Place::Fresh(kind) => (Arc::new(Database::fresh(kind)), Arc::default()),
            Place::Known { database, clock } => (database, clock),
        };
        let mut settings = database.settings();
        settings.master_keys = plan.master_keys.clone().unwrap_or(settings.master_keys);
        let mut service = Service::new(settings, plan.api.clone()).clock(clock.clone());
        service.delivering = plan.delivering.clone();
        service.certifying = plan.certifying.clone();
        service.collectors = plan.collectors.clone();
        service.counting = plan.counting.clone();
        service.mail = Mailing { server: plan.mail.clone(), testers: plan.testers.clone() };
        service.further = (plan.further)();
        if let Some(delivering) = &mut service.delivering {
            // The API and whoever delivers are told of one brand, as the settings of the program have it.
            delivering.dispatch.brand.clone_from(&plan.api.brand);
        }
        let running = server::start(service).expect("the service starts");
        invoicing::give_identity(running.store(), clock.now());
        App { running: Some(running), clock, plan, database }
    }
}

impl App {
    /// A service on a fresh database, without limits.
    #[must_use]
    pub fn start(kind: DatabaseKind) -> Self {
        Self::with(kind).start()
    }

    /// A service to be set up differently.
    #[must_use]
    pub fn with(kind: DatabaseKind) -> Builder {
        Builder { place: Place::Fresh(kind), plan: Plan::usual() }
    }

    /// A service on a database that is there, whose clock is held at a moment.
    #[must_use]
    pub fn on(database: Arc<Database>, now: Timestamp) -> Builder {
        let clock = TestClock { held_micros: now.micros().into(), ..TestClock::default() };
        let place = Place::Known { database, clock: Arc::new(clock) };
        Builder { place, plan: Plan::usual() }
    }

    /// A service like this one on the same database and clock: beside it, or after it.
    #[must_use]
    pub fn again(&self) -> Builder {
        let (database, clock) = (Arc::clone(&self.database), Arc::clone(&self.clock));
        Builder { place: Place::Known { database, clock }, plan: self.plan.clone() }
    }

    /// Stops it as an operator would, and starts it again.
    #[must_use]
    pub fn restart(self) -> Self {
        let again = self.again();
        self.stop();
        again.start()
    }

    pub(crate) fn running(&self) -> &Running {
        self.running.as_ref().expect("the service runs until it is dropped")
    }

    /// Its address, e.g. `http://127.0.0.1:41234`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.running().addr())
    }

    /// Moves its clock ahead.
    pub fn advance_seconds(&self, seconds: i64) {
        self.clock.ahead_micros.fetch_add(seconds * 1_000_000, Ordering::Relaxed);
    }

    /// Holds its clock: from now on it moves by [`App::advance_seconds`] and its like alone.
    pub fn hold_clock(&self) {
        self.clock.held_micros.store(SystemClock.now().micros(), Ordering::Relaxed);
    }

    /// Moves its clock ahead to a moment.
    pub fn advance_to(&self, moment: Timestamp) {
        let ahead = moment.micros() - self.now().micros();
        self.clock.ahead_micros.fetch_add(ahead, Ordering::Relaxed);
    }

    /// The time on its clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Keeps house as the service does every minute.
    pub fn housekeep(&self) {
        crate::database::clean_up(self.running().store(), self.clock.now());
    }

    /// A figure of the store's for monitoring.
    ///
    /// # Panics
    /// When there is none of that name.
    #[must_use]
    pub fn gauge(&self, name: &str) -> f64 {
        let gauges = self.running().store().gauges();
        let found = gauges.into_iter().find(|gauge| gauge.name == name);
        found.expect("a figure of that name").value
    }

    /// A figure without labels, as the metrics have it.
    ///
    /// # Panics
    /// When there is none of that name.
    #[must_use]
    pub fn metric(&self, name: &str) -> f64 {
        let metrics = self.running().metrics();
        let named = metrics.lines().filter_map(|line| line.split_once(' '));
        let (_, value) = named.into_iter().find(|(known, _)| *known == name).expect("a metric");
        value.parse().expect("a number")
    }

    /// How many statements it has sent to its database so far, but for those that begin and end transactions.
    ///
    /// # Panics
    /// When nobody counts them.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.database.statements().unwrap_or_else(|| self.metric("store_statements_total") as u64)
    }

    /// Its store, for what no endpoint offers.
    #[must_use]
    pub fn store(&self) -> &Arc<store::Store> {
        self.running().store()
    }

    /// A new account: live if providers outside are faked, else a test account, for which the sandbox stamps.
    #[must_use]
    pub fn account(&self) -> AccountId {
        let live = self.live_account();
        if self.plan.has_pac { live } else { self.test_account(live) }
    }

    /// A new live account.
    #[must_use]
    pub fn live_account(&self) -> AccountId {
        let made = self.running().store().create_account("Shop".to_owned(), 5, self.clock.now());
        made.wait().expect("the store answers").expect("an account is made").value.id
    }

    /// The test account of a live one.
    #[must_use]
    pub fn test_account(&self, live: AccountId) -> AccountId {
        let opened = self.running().store().test_account(live, self.clock.now());
        opened.wait().expect("the store answers").expect("an account is opened").value.id
    }

    /// A new key of an account: its text and identifier.
    #[must_use]
    pub fn key(&self, account: AccountId, scopes: &str) -> (String, accounts::ApiKeyId) {
        self.key_with_rate(account, scopes, None)
    }

    /// A new key of an account whose holder may approve: its text and identifier.
    #[must_use]
    pub fn approving_key(&self, account: AccountId, scopes: &str) -> (String, accounts::ApiKeyId) {
        self.key_as(account, scopes, (None, true))
    }

    /// A new key with a rate of its own.
    #[must_use]
    pub fn key_with_rate(
        &self,
        account: AccountId,
        scopes: &str,
        rate_per_hour: Option<u32>,
    ) -> (String, accounts::ApiKeyId) {
        self.key_as(account, scopes, (rate_per_hour, false))
    }

    fn key_as(
        &self,
        account: AccountId,
        scopes: &str,
        (rate_per_hour, may_approve): (Option<u32>, bool),
    ) -> (String, accounts::ApiKeyId) {
        let random: Vec<u8> =
            (0..8).flat_map(|_| ulid::Ulid::generate().to_bytes()).map(|byte| byte % 248).collect();
        let made = NewApiKey::from_random(&self.plan.api.brand, self.mode(account), &random);
        let made = made.expect("enough randomness");
        let command = CreateApiKey {
            account,
            name: "test".to_owned(),
            digest: made.digest,
            last4: made.last4().to_owned(),
            scopes: Scopes::parse(scopes).expect("known scopes"),
            may_approve,
            rate_per_hour,
            expires_at: None,
        };
        let kept = self.running().store().create_key(command, self.clock.now());
        let kept = kept.wait().expect("the store answers").expect("a key is made").value;
        (made.text, kept.id)
    }

    fn mode(&self, account: AccountId) -> Mode {
        let found = self.running().store().account(account);
        let found = found.wait().expect("the store answers").expect("accounts are read");
        found.map_or(Mode::Live, |account| account.mode())
    }

    /// Revokes a key, as the command line does from another process.
    pub fn revoke(&self, key: accounts::ApiKeyId) {
        let revoked = self.running().store().revoke_key(key, self.clock.now());
        revoked.wait().expect("the store answers").expect("the key is revoked");
    }

    /// A client with a key of an account of its own that may do everything.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client_of(self.account(), "*")
    }

    /// A client with a new key of an account.
    #[must_use]
    pub fn client_of(&self, account: AccountId, scopes: &str) -> Client {
        Client::new(self.origin(), Some(self.key(account, scopes).0))
    }

    /// A client without a key.
    #[must_use]
    pub fn anonymous(&self) -> Client {
        Client::new(self.origin(), None)
    }

    /// Stops the service as an operator would, and audits its database.
    pub fn stop(mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        drop(self.running.take());
        if !std::thread::panicking() {
            let violations = self.database.violations();
            assert!(violations.is_empty(), "the database does not add up: {violations:#?}");
        }
    }
}
