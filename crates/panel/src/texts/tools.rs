//! What is said on the pages for those who develop.

texts! {
    no_events: "Nothing has happened yet.", "Aún no ha sucedido nada.";
    delivery: "Delivery", "Entrega";
    no_deliveries_of_event: "It was sent to no webhook within a day.", "No se envió a ningún webhook durante un día.";
    replay: "Send past events again", "Reenviar eventos pasados";
    replay_intro: "Every event of these days that the webhook includes is delivered again, little by little. Programs that \
        recognise an event by its id count it once.",
        "Se entregan de nuevo, poco a poco, todos los eventos de estos días que el webhook incluye. Los programas que \
        reconocen un evento por su id lo cuentan una vez.";
    did_replay: "Past events are being sent again.", "Se están reenviando los eventos pasados.";
    requests: "Requests", "Solicitudes";
    request: "Request", "Solicitud";
    api_key: "API key", "Clave de API";
    only_failures: "Only failures", "Solo fallas";
    times(count: &str): "{count} times, counted", "{count} veces, contadas";
    on_average(figure: &str): "{figure} on average", "{figure} en promedio";
    no_requests: "No key has asked for anything lately.", "Ninguna clave ha pedido nada últimamente.";
    requests_intro: "Writes and failures. Reads, and what there is very much of, are counted by key, route and minute. All of it is kept for 30 days, unless the service is set otherwise.",
        "Escrituras y fallas. Las lecturas, y lo que es muy frecuente, se cuentan por clave, ruta y minuto. Todo se conserva 30 días, salvo que el servicio se configure de otro modo.";
    jobs: "Jobs", "Trabajos";
    job_kind: "Work", "Trabajo";
    job_progress: "Progress", "Avance";
    job_queued: "Waiting", "En espera";
    job_running: "Running", "En curso";
    job_succeeded: "Done", "Terminado";
    job_failed: "Failed", "Fallido";
    job_cancelled: "Cancelled", "Cancelado";
    job_cancel: "Cancel", "Cancelar";
    no_jobs: "Nothing goes on in the background.", "No hay nada en segundo plano.";
    did_cancel_job: "The job stops.", "El trabajo se detiene.";
    credits: "Credits", "Créditos";
    credits_available: "Available", "Disponibles";
    credits_reserved: "Set aside", "Apartados";
    credits_kind: "Entry", "Movimiento";
    credits_granted: "Granted", "Abono";
    credits_set_aside: "Set aside for a stamp", "Apartado para un timbre";
    credits_spent: "Spent", "Gastado";
    credits_given_back: "Given back", "Devuelto";
    no_credits: "There is no entry yet.", "Aún no hay movimientos.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "webhook.replayed" => say.did_replay(),
        "job.cancelled" => say.did_cancel_job(),
        _ => return None,
    })
}
