//! Putting the API into an actix application.

use actix_web::{
    HttpResponse,
    web::{self, Data, ServiceConfig},
};
use kernel::threads::everybody_waits;

use crate::{Api, metrics, serve::serve};

/// Mounts the API, its documentation and its health checks: it answers every path that nothing else in the
/// application answers.
pub fn configure(config: &mut ServiceConfig, api: Data<Api>) {
    // Each thread that answers requests has its own.
    everybody_waits();
    let answer = move |request, payload| serve(api.clone(), request, payload);
    config.default_service(web::to(answer));
}

/// Mounts the metrics, for a listener of their own.
pub fn configure_metrics(config: &mut ServiceConfig, api: Data<Api>) {
    let render = move || {
        let text = api.render_metrics();
        async { HttpResponse::Ok().content_type(metrics::CONTENT_TYPE).body(text) }
    };
    config.service(web::resource("/metrics").get(render));
}
