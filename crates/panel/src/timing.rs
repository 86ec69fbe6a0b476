//! How long a page takes, as `Server-Timing` tells whoever has signed in.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

tokio::task_local! {
    /// How long the request that is being answered has waited for the services so far.
    static WAITED: Cell<Duration>;
}

/// What some work comes to, and how long it has waited for the services.
pub(crate) async fn measured<F: Future>(work: F) -> (F::Output, Duration) {
    let within = async {
        let outcome = work.await;
        (outcome, WAITED.with(Cell::get))
    };
    WAITED.scope(Cell::new(Duration::ZERO), within).await
}

/// What a service answers. The wait for it counts as that of the request, but for what goes on behind its answer.
pub(crate) async fn waited_for<F: IntoFuture>(service: F) -> F::Output {
    let began = Instant::now();
    let answer = service.await;
    let more = began.elapsed();
    let _ = WAITED.try_with(|waited| waited.set(waited.get() + more));
    answer
}

/// The value of the header: all that a page took, and what of it was spent waiting for the services, in milliseconds.
pub(crate) fn header(all: Duration, waited: Duration) -> String {
    let [all, waited] = [all, waited].map(|time| time.as_secs_f64() * 1e3);
    format!("total;dur={all:.3}, db;dur={waited:.3}")
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[test]
    fn milliseconds_are_told_to_the_microsecond() {
        let value = header(Duration::from_micros(12_345), Duration::from_nanos(600));
        assert_eq!(value, "total;dur=12.345, db;dur=0.001");
    }

    #[test]
    fn waits_of_a_request_add_up_and_others_count_for_none() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let pause = Duration::from_millis(2);
        let (sum, waited) = runtime.block_on(measured(async {
            waited_for(tokio::time::sleep(pause)).await;
            waited_for(tokio::time::sleep(pause)).await;
            waited_for(ready(1)).await + waited_for(ready(2)).await
        }));
        assert_eq!(sum, 3);
        assert!(waited >= pause * 2, "{waited:?}");
        assert_eq!(runtime.block_on(waited_for(ready(4))), 4);
    }
}
