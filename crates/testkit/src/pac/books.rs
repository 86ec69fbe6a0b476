//! What a provider remembers.

use std::collections::{HashMap, HashSet};

use cfdi::stamp::{CFDI, RETENCIONES, TFD};
use invoices::provider::Service;
use roxmltree::Document;
use ulid::Ulid;

/// A stamp that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Stamp {
    pub service: Service,
    /// The fiscal folio.
    pub uuid: String,
    /// The seal of the document.
    pub seal: String,
    /// SW: the `customid` it came with.
    pub key: Option<String>,
    pub tfd: String,
    /// The document with its stamp.
    pub xml: String,
}

/// What the tax authority says of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// `Estado`.
    pub state: String,
    /// `EsCancelable`.
    pub cancellable: String,
    /// `EstatusCancelacion`.
    pub cancellation: String,
}

impl Status {
    /// A status of these words.
    #[must_use]
    pub fn new(state: &str, cancellable: &str, cancellation: &str) -> Self {
        Self {
            state: state.to_owned(),
            cancellable: cancellable.to_owned(),
            cancellation: cancellation.to_owned(),
        }
    }
}

/// What came of a document.
pub(super) enum Stamping {
    /// It is stamped now.
    New(Stamp),
    /// It was stamped before.
    Before(Stamp),
    /// Its key came with another document.
    KeyUsed(Stamp),
    /// It is no sealed document of the kind that the service stamps.
    Malformed,
}

/// What a provider remembers.
#[derive(Default)]
pub(super) struct Books {
    stamps: Vec<Stamp>,
    cancelled: Vec<String>,
    statuses: HashMap<String, Status>,
    sessions: HashSet<String>,
    signed_in: usize,
}

impl Books {
    pub(super) fn stamps(&self) -> &[Stamp] {
        &self.stamps
    }

    pub(super) fn cancelled(&self) -> &[String] {
        &self.cancelled
    }

    /// Stamps a document unless it has a stamp.
    pub(super) fn stamp(&mut self, service: Service, xml: &str, key: Option<&str>) -> Stamping {
        if let Some(first) =
            self.stamps.iter().find(|one| key.is_some() && one.key.as_deref() == key)
        {
            let same = seal(xml).is_some_and(|seal| seal == first.seal);
            let first = first.clone();
            return if same { Stamping::Before(first) } else { Stamping::KeyUsed(first) };
        }
        if let Some(before) = self.stamp_of(service, xml) {
            return Stamping::Before(before);
        }
        match stamped(service, xml, key) {
            Some(stamp) => {
                self.stamps.push(stamp.clone());
                Stamping::New(stamp)
            }
            None => Stamping::Malformed,
        }
    }

    /// The stamp that a document has.
    pub(super) fn stamp_of(&self, service: Service, xml: &str) -> Option<Stamp> {
        let seal = seal(xml)?;
        let mut of_service = self.stamps.iter().filter(|stamp| stamp.service == service);
        of_service.find(|stamp| stamp.seal == seal).cloned()
    }

    /// Takes a request to cancel: the folio it names and the authority's code.
    pub(super) fn cancel(
        &mut self,
        service: Service,
        request: &str,
    ) -> Option<(String, &'static str)> {
        let uuid = folio(request)?;
        let same = |other: &String| other.eq_ignore_ascii_case(&uuid);
        let mut of_service = self.stamps.iter().filter(|stamp| stamp.service == service);
        let known = of_service.any(|stamp| same(&stamp.uuid));
        let before = self.cancelled.iter().any(same);
        if known && !before {
            self.cancelled.push(uuid.clone());
        }
        let [taken, repeated, unknown] = match service {
            Service::Invoice => ["201", "202", "205"],
            Service::Withholding => ["1201", "1202", "1205"],
        };
        let code = match (known, before) {
            (false, _) => unknown,
            (true, true) => repeated,
            (true, false) => taken,
        };
        Some((uuid, code))
    }

    pub(super) fn set_status(&mut self, uuid: &str, status: Status) {
        self.statuses.insert(uuid.to_uppercase(), status);
    }

    pub(super) fn status(&self, uuid: &str) -> Status {
        let same = |other: &String| other.eq_ignore_ascii_case(uuid);
        if let Some(told) = self.statuses.get(&uuid.to_uppercase()) {
            return told.clone();
        }
        if self.cancelled.iter().any(same) {
            return Status::new(
                "Cancelado",
                "Cancelable sin aceptación",
                "Cancelado sin aceptación",
            );
        }
        if self.stamps.iter().any(|stamp| same(&stamp.uuid)) {
            return Status::new("Vigente", "Cancelable sin aceptación", "");
        }
        Status::new("No Encontrado", "", "")
    }

    /// A new token.
    pub(super) fn sign_in(&mut self) -> String {
        self.signed_in += 1;
        let token = format!("ficha-{}", self.signed_in);
        self.sessions.insert(token.clone());
        token
    }

    pub(super) fn is_signed_in(&self, token: &str) -> bool {
        self.sessions.contains(token)
    }

    pub(super) fn expire_sessions(&mut self) {
        self.sessions.clear();
    }
}

fn seal(xml: &str) -> Option<String> {
    let document = Document::parse(xml).ok()?;
    document.root_element().attribute("Sello").filter(|seal| !seal.is_empty()).map(str::to_owned)
}

/// A document with a stamp of its own at the end of its complements.
fn stamped(service: Service, xml: &str, key: Option<&str>) -> Option<Stamp> {
    let (namespace, prefix, root) = match service {
        Service::Invoice => (CFDI, "cfdi", "Comprobante"),
        Service::Withholding => (RETENCIONES, "retenciones", "Retenciones"),
    };
    Document::parse(xml).ok()?.root_element().has_tag_name((namespace, root)).then_some(())?;
    let seal = seal(xml)?;
    let uuid = random_uuid();
    let tfd = tfd(&uuid, &seal);
    let complement = format!("</{prefix}:Complemento>");
    let (at, node) = match (xml.rfind(&complement), xml.rfind(&format!("</{prefix}:{root}>"))) {
        (Some(at), _) => (at, tfd.clone()),
        (None, Some(at)) => (at, format!("<{prefix}:Complemento>{tfd}{complement}")),
        (None, None) => return None,
    };
    let (before, after) = xml.split_at(at);
    let xml = format!("{before}{node}{after}");
    Some(Stamp { service, uuid, seal, key: key.map(str::to_owned), tfd, xml })
}

/// The stamp that confirms a seal.
pub(super) fn tfd(uuid: &str, seal: &str) -> String {
    format!(
        "<tfd:TimbreFiscalDigital xmlns:tfd=\"{TFD}\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"{TFD} http://www.sat.gob.mx/sitio_internet/cfd/TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd\" \
         Version=\"1.1\" UUID=\"{uuid}\" FechaTimbrado=\"2026-11-20T12:00:00\" RfcProvCertif=\"SPR190613I52\" \
         SelloCFD=\"{seal}\" NoCertificadoSAT=\"30001000000500003456\" SelloSAT=\"U2VsbG8gZGVsIFNBVA==\"/>"
    )
}

pub(super) fn random_uuid() -> String {
    let hex = format!("{:032X}", Ulid::generate().0);
    let mut parts = Vec::new();
    let mut rest = hex.as_str();
    for length in [8, 4, 4, 4, 12] {
        let (part, left) = rest.split_at(length);
        parts.push(part);
        rest = left;
    }
    parts.join("-")
}

/// The fiscal folio that a request to cancel names: an attribute `UUID`, or an element of that name.
fn folio(request: &str) -> Option<String> {
    let document = Document::parse(request).ok()?;
    document.descendants().find_map(|node| {
        let text = node.text().filter(|_| node.tag_name().name() == "UUID");
        node.attribute("UUID").or(text).map(|uuid| uuid.trim().to_owned())
    })
}
