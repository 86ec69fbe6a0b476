//! Shops for calls that change something.

use testkit::{App, Reply};

use super::{Shop, shop::Wares};

/// Shops to be called upon one after the other: few changes are in the way of the next one.
pub(crate) struct Spares<'a> {
    app: &'a App,
    shops: Vec<(Wares, Shop)>,
}

impl<'a> Spares<'a> {
    /// Shops of a service, opened when they are needed.
    pub(crate) fn of(app: &'a App) -> Self {
        Self { app, shops: Vec::new() }
    }

    /// The answer of a shop with these wares: of one that has been changed before, unless that does not answer as it
    /// should, and then of a fresh one.
    pub(crate) fn answer(
        &mut self,
        wares: Wares,
        ask: impl Fn(&Shop) -> Reply,
        should: impl Fn(&Reply) -> bool,
    ) -> Reply {
        if let Some(known) = self.shops.iter().position(|(known, _)| *known == wares) {
            let reply = ask(&self.shops[known].1);
            if should(&reply) {
                return reply;
            }
            self.shops.remove(known);
        }
        let shop = Shop::open_with(self.app, wares);
        let reply = ask(&shop);
        self.shops.push((wares, shop));
        reply
    }
}
