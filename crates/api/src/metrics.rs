//! What is counted, in the text format of OpenMetrics.

use std::{sync::Arc, time::Duration};

use kernel::Gauge;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text},
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::ConstGauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::Registry,
};

use crate::{Backend, limits::Limits};

/// The content type of the rendered text.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The shortest time that the histogram tells apart, in seconds.
const FASTEST: f64 = 0.000_1;
/// Times four each, up to 26 seconds.
const BUCKETS: u16 = 10;

/// A limit, in the metrics and in words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LimitName {
    /// Per client network.
    Ip,
    /// Per API key.
    Key,
    /// Of one endpoint.
    Endpoint,
}

impl LimitName {
    const fn label(self) -> &'static str {
        match self {
            Self::Ip => "ip",
            Self::Key => "key",
            Self::Endpoint => "endpoint",
        }
    }
}

/// What is counted.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
    limited: Family<LimitLabels, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LimitLabels {
    limit: &'static str,
}

impl Metrics {
    /// With nothing counted yet; what `limits` and `backend` hold is asked for when it is rendered.
    pub(crate) fn new(limits: Arc<Limits>, backend: Arc<dyn Backend>) -> Self {
        let mut registry = Registry::default();
        let requests = Family::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        let durations = Family::new_with_constructor(histogram as fn() -> Histogram);
        registry.register(
            "http_request_duration_seconds",
            "Time from receiving a request's headers to its response",
            durations.clone(),
        );
        let limited = Family::default();
        registry.register("rate_limited", "Requests refused by a rate limit", limited.clone());
        registry.register_collector(Box::new(Gauges { limits, backend }));
        Self { registry, requests, durations, limited }
    }

    /// Counts a request answered.
    pub(crate) fn count_request(
        &self,
        method: &'static str,
        route: &'static str,
        status: u16,
        elapsed: Duration,
    ) {
        self.requests.get_or_create(&RequestLabels { method, route, status }).inc();
        self.durations.get_or_create(&RouteLabels { route }).observe(elapsed.as_secs_f64());
    }

    /// Counts a request refused by a limit.
    pub(crate) fn count_limited(&self, name: LimitName) {
        self.limited.get_or_create(&LimitLabels { limit: name.label() }).inc();
    }

    /// All of it as text.
    pub(crate) fn render(&self) -> String {
        let mut rendered = String::new();
        if let Err(error) = text::encode(&mut rendered, &self.registry) {
            tracing::error!(%error, "cannot render the metrics");
        }
        rendered
    }
}

fn histogram() -> Histogram {
    Histogram::new(exponential_buckets(FASTEST, 4.0, BUCKETS))
}

/// Numbers that others hold.
struct Gauges {
    limits: Arc<Limits>,
    backend: Arc<dyn Backend>,
}

impl std::fmt::Debug for Gauges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Gauges")
    }
}

impl Collector for Gauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let gauges = self.limits.gauges().into_iter().chain(self.backend.gauges());
        for Gauge { name, help, value } in gauges {
            // The format adds the suffix to counters itself.
            if let Some(counted) = name.strip_suffix("_total") {
                let counter = ConstCounter::new(value);
                let metric =
                    encoder.encode_descriptor(counted, help, None, counter.metric_type())?;
                counter.encode(metric)?;
            } else {
                let gauge = ConstGauge::new(value);
                let metric = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
                gauge.encode(metric)?;
            }
        }
        Ok(())
    }
}
