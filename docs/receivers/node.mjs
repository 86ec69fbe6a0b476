// Receives events with Node.js alone: TRASTIENDA_WEBHOOK_SECRET=whsec_… node node.mjs 127.0.0.1:9000
//
// In production it stands behind a proxy that speaks TLS.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

// The second is there while a rotated secret is still valid: a receiver that tries both misses nothing,
// whichever of the two secrets it has. `service` is the service's setting `brand`.
const SIGNATURES = ["x-service-signature-256", "x-service-signature-256-previous"];
const BODY_BYTES_MAX = 1024 * 1024;

const secret = process.env.TRASTIENDA_WEBHOOK_SECRET;
if (!secret) throw new Error("TRASTIENDA_WEBHOOK_SECRET must be the secret of the webhook");

// The events that came before. A real receiver keeps them in its database, where they outlive a restart: one
// table whose primary key is the event's id, and the row is committed before the answer is sent.
const seen = new Set();

function isGenuine(body, headers) {
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  return SIGNATURES.some((name) => {
    const signature = Buffer.from(headers[name] ?? "");
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

function work(event) {
  // The work: an e-mail, an entry in the books, a label for the parcel.
  console.log(`processed ${event.event} ${event.id}`);
}

async function rawBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function receive(request, response) {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== "POST") return answer(405);
  const length = Number(request.headers["content-length"]);
  if (Number.isNaN(length)) return answer(411);
  if (length > BODY_BYTES_MAX) return answer(413);
  const body = await rawBody(request);
  // The raw bytes are verified before anything in them is trusted.
  if (!isGenuine(body, request.headers)) return answer(401);
  const event = JSON.parse(body);
  if (seen.has(event.id)) {
    console.log(`repeated ${event.event} ${event.id}`);
    return answer(200);
  }
  seen.add(event.id);
  answer(200);
  setImmediate(work, event);
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});
// The service keeps a connection for 90 seconds to use it again: do not close it just when it does.
server.keepAliveTimeout = 100_000;

const [host, port] = (process.argv[2] ?? "127.0.0.1:9000").split(":");
server.listen(Number(port), host, () => {
  console.log(`listening on http://${host}:${server.address().port}`);
});
