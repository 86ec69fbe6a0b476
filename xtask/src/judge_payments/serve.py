"""Serves the package localstripe on a free port of this machine alone, and prints the port.

It keeps everything in memory, and is given what it lacks of what is documented: two fields, and lists of intents that are
narrowed to a time."""

import asyncio

from aiohttp import web
from localstripe import resources, server

resources.Store.dump_to_disk = lambda self: None


def captured(charge):
    return charge is not None and charge.status == "succeeded" and charge.captured


def received(intent):
    return intent.amount if captured(intent.latest_charge) else 0


def capturable(intent):
    return intent.amount if intent.status == "requires_capture" else 0


# Nothing here captures a part.
resources.PaymentIntent.amount_received = property(received)
resources.PaymentIntent.amount_capturable = property(capturable)


list_all = resources.PaymentIntent._api_list_all.__func__


def narrowed(cls, url, created=None, **kwargs):
    """The intents of a time, the newest first; pages and their objects are the package's own."""
    page = list_all(cls, url, **kwargs)
    bounds = {name: int(value) for name, value in (created or {}).items()}
    since, until = bounds.pop("gte", 0), bounds.pop("lt", 2**63)
    assert not bounds, bounds
    page._list = [intent for intent in page._list if since <= intent.created < until]
    page._list.sort(key=lambda intent: intent.created, reverse=True)
    return page


resources.PaymentIntent._api_list_all = classmethod(narrowed)


async def main():
    runner = web.AppRunner(server.app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
