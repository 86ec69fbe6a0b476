//! The architecture as a table: which crate is what, and what each kind may use.

use Layer::{Domain, Double, Engine, Kernel, Reader, Server, Shell, Testkit, Tool};

/// What a crate of ours is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layer {
    /// The vocabulary every crate shares.
    Kernel,
    /// Types, rules and service traits of one part of the business. Siblings do not know each other.
    Domain,
    /// What persistence runs on, whatever it persists: it knows no domain.
    Engine,
    /// Reads what callers send, for every shell that answers callers.
    Reader,
    /// One way of touching the world: a database, HTTP, a page.
    Shell,
    /// The binary, where the shells meet.
    Server,
    /// Plays a part of the world outside, for tests and tools.
    Double,
    /// Starts the whole service for tests.
    Testkit,
    /// Looks at the project from outside.
    Tool,
}

/// Every crate of the workspace, also those to come.
const CRATES: &[(&str, Layer)] = &[
    ("kernel", Kernel),
    ("accounts", Domain),
    ("analytics", Domain),
    ("approvals", Domain),
    ("bulk", Domain),
    ("catalog", Domain),
    ("cfdi", Domain),
    ("crm", Domain),
    ("imports", Domain),
    ("inventory", Domain),
    ("invoices", Domain),
    ("links", Domain),
    ("messaging", Domain),
    ("orders", Domain),
    ("payments", Domain),
    ("pricing", Domain),
    ("quotes", Domain),
    ("tasks", Domain),
    ("webhooks", Domain),
    ("engine", Engine),
    ("intake", Reader),
    ("sheets", Reader),
    ("api", Shell),
    ("dispatch", Shell),
    ("outbound", Shell),
    ("pages", Shell),
    ("panel", Shell),
    ("print", Shell),
    ("reference", Shell),
    ("store", Shell),
    ("trastienda", Server),
    ("doubles", Double),
    ("testkit", Testkit),
    ("bench", Tool),
    ("xtask", Tool),
];

/// What else is built on another: a document of the tax authority is a world of its own, which programs use
/// without any invoice of ours; an invoice is made out to a customer; a domain with durable work says what its tasks are; payments are made by links; whoever sets an account up has a link, too; a quote is an order that its customer has not placed yet, seen by a link; orders and documents reckon alike, to the cent; rows of a file become commands of the catalog, of customers and of the stock; a bulk action is what domains do with one thing, of many; and SQL belongs to the store, the engine below it to nobody else; and the API shows its own document for people, and pages to those who hold a link.
const OTHER_EDGES: &[(&str, &str)] = &[
    ("accounts", "links"),
    ("bulk", "accounts"),
    ("bulk", "invoices"),
    ("bulk", "orders"),
    ("bulk", "payments"),
    ("bulk", "tasks"),
    ("bulk", "webhooks"),
    ("cfdi", "pricing"),
    ("imports", "catalog"),
    ("imports", "cfdi"),
    ("imports", "crm"),
    ("imports", "inventory"),
    ("imports", "tasks"),
    ("invoices", "cfdi"),
    ("invoices", "crm"),
    ("invoices", "tasks"),
    ("orders", "pricing"),
    ("payments", "links"),
    ("payments", "tasks"),
    ("quotes", "cfdi"),
    ("quotes", "links"),
    ("quotes", "orders"),
    ("store", "engine"),
    ("api", "pages"),
    ("api", "reference"),
];

/// Outside crates that only some of ours may use directly: a second user would spread what one
/// crate is there to hide.
const OWNED: &[(&str, &[&str])] = &[
    ("askama", &["pages", "panel", "reference"]),
    ("actix-web", &["api", "panel", "trastienda", "testkit", "bench"]),
    ("barcoders", &["pages"]),
    ("calamine", &["sheets"]),
    ("clap", &["trastienda", "bench", "xtask"]),
    ("csv", &["dispatch", "trastienda"]),
    ("csv-core", &["sheets"]),
    ("diesel", &["engine", "store", "testkit", "bench"]),
    ("diesel_migrations", &["engine", "store", "testkit", "bench"]),
    ("encoding_rs", &["sheets"]),
    ("governor", &["api"]),
    ("hyper", &["outbound", "bench"]),
    ("lettre", &["outbound"]),
    ("multer", &["api", "panel"]),
    ("libsqlite3-sys", &["engine", "testkit", "bench"]),
    ("pulldown-cmark", &["reference"]),
    ("pq-sys", &["engine", "testkit", "bench"]),
    ("r2d2", &["engine", "testkit", "bench"]),
    ("redis", &["outbound"]),
    ("reqwest", &["outbound", "testkit"]),
    ("rustls", &["engine", "outbound", "testkit", "trastienda"]),
    ("toml", &["trastienda", "xtask"]),
    ("utoipa", &["api"]),
    ("webpki-roots", &["engine", "outbound"]),
    ("zip", &["dispatch", "sheets", "trastienda"]),
];

/// Outside crates that do I/O, wait, or read the command line: never below a rule.
const IMPURE: &[&str] = &[
    "actix-web",
    "clap",
    "diesel",
    "governor",
    "hyper",
    "mio",
    "r2d2",
    "redis",
    "reqwest",
    "tokio",
];

/// What the crate of that name is.
pub(super) fn layer(name: &str) -> Option<Layer> {
    CRATES.iter().find(|(known, _)| *known == name).map(|(_, layer)| *layer)
}

/// The only crates that may use the outside crate `name`, if it is an owned one.
pub(super) fn owners(name: &str) -> Option<&'static [&'static str]> {
    OWNED.iter().find(|(owned, _)| *owned == name).map(|(_, owners)| *owners)
}

/// Whether a crate may be built on another beside what its layer allows.
pub(super) fn is_other_edge(from: &str, to: &str) -> bool {
    OTHER_EDGES.contains(&(from, to))
}

/// Whether the outside crate `name` touches the world.
pub(super) fn is_impure(name: &str) -> bool {
    IMPURE.contains(&name)
}

impl Layer {
    /// Whether a crate of this kind may be built on one of the other.
    pub(super) fn may_use(self, other: Layer) -> bool {
        match self {
            Kernel => false,
            Domain | Engine | Reader | Double => other == Kernel,
            Tool => matches!(other, Kernel | Double),
            Shell => matches!(other, Kernel | Domain | Reader),
            Server => matches!(other, Kernel | Domain | Reader | Shell),
            Testkit => matches!(other, Kernel | Domain | Reader | Shell | Server | Double),
        }
    }

    /// Whether the tests of a crate of this kind may use one of the other.
    pub(super) fn tests_may_use(self, other: Layer) -> bool {
        self.may_use(other) || other == Testkit
    }

    /// Whether the rules live here.
    pub(super) fn is_pure(self) -> bool {
        matches!(self, Kernel | Domain | Reader)
    }
}
