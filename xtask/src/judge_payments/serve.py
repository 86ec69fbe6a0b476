"""Serves the package localstripe on a free port of this machine alone, and prints the port.

It keeps everything in memory, and is given two documented fields that it lacks."""

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


async def main():
    runner = web.AppRunner(server.app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
