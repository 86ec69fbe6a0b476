//! Putting the API into an actix application.

use std::{pin::Pin, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse,
    web::{self, Data, Payload, ServiceConfig},
};

use crate::{Api, metrics, route::Route, serve::serve};

type Responding = Pin<Box<dyn Future<Output = HttpResponse>>>;

/// Mounts every endpoint of the API, its documentation and its health checks, and an answer for every path
/// where there is nothing.
#[expect(clippy::needless_pass_by_value, reason = "the routes keep copies of this pointer")]
pub fn configure(config: &mut ServiceConfig, api: Data<Api>) {
    for route in &api.routes {
        config.service(web::resource(&route.path).to(answering(&api, Arc::clone(route))));
    }
    config.default_service(web::to(answering(&api, Arc::new(Route::unknown()))));
}

/// Mounts the metrics, for a listener of their own.
pub fn configure_metrics(config: &mut ServiceConfig, api: Data<Api>) {
    let render = move || {
        let text = api.render_metrics();
        async { HttpResponse::Ok().content_type(metrics::CONTENT_TYPE).body(text) }
    };
    config.service(web::resource("/metrics").get(render));
}

fn answering(
    api: &Data<Api>,
    route: Arc<Route>,
) -> impl Fn(HttpRequest, Payload) -> Responding + Clone + 'static {
    let api = api.clone();
    move |request, payload| Box::pin(serve(api.clone(), Arc::clone(&route), request, payload))
}
