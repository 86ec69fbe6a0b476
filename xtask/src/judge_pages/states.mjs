// What the service shows to people, each with what leads there: made through the API, as a shop would, and through the forms, as
// its customers would.

// Of SAT's public test data.
const GOOD = { rfc: "CACX7605101P8", legalName: "XOCHILT CASAS CHAVEZ", taxZip: "36257", taxRegime: "612", cfdiUse: "G03", email: "" };
const BUYER = { rfc: "URE180429TM6", legalName: "UNIVERSIDAD ROBOTICA ESPAÑOLA", taxZip: "86991", taxRegime: "601", cfdiUse: "G03" };
const PAYER = { name: "Ana Torres", email: "ana@example.com" };
const NOBODY = "A".repeat(24);

// Every state: its name, its path, the status that its page has in the end, what a visitor does before it is looked at, the
// sizes of screen that have it if not all, and whether it is a page of the reference of the API, which is in English and may have script.
export async function states(api, key) {
  let visits = 0;

  async function call(method, path, body) {
    const answer = await fetch(api + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }
  const post = (path, body) => call("POST", path, body ?? {});
  const get = (path) => call("GET", path);

  // A visitor without a browser, each from an address of their own.
  async function visit(path, fields) {
    visits += 1;
    return fetch(new URL(path, api), {
      method: fields ? "POST" : "GET",
      headers: { "X-Forwarded-For": `10.255.${visits >> 8}.${visits & 255}` },
      body: fields && new URLSearchParams(fields),
      redirect: "manual",
    });
  }
  async function begin(page, method, more = {}) {
    const shown = await (await visit(page)).text();
    const form = /name="form" value="([^"]+)"/.exec(shown)?.[1];
    const answer = await visit(`${page}/attempts`, { form, method, ...more });
    const path = answer.headers.get("location");
    if (answer.status !== 303) throw new Error(`${page} by ${method}: ${answer.status}`);
    return path;
  }
  const pathOf = (made) => new URL(made.url).pathname;
  async function link(more) {
    const usual = { title: "Taza de talavera", amount: 249.5, provider: "sandbox", maxPayments: null };
    const made = await post("/payment-links", { ...usual, ...more });
    return { id: made.id, path: pathOf(made) };
  }
  async function attempt(method, more) {
    const made = await link(more);
    const path = await begin(made.path, method, PAYER);
    const payment = (await get(`/payments?paymentLinkId=${made.id}`)).data[0].id;
    return { ...made, page: path, payment };
  }
  const simulate = (it, event, more = {}) => post(`/payments/${it.payment}/simulate`, { event, ...more });

  const all = [];
  const add = (name, path, more = {}) => all.push({ name, path, status: 200, isReference: path.startsWith("/docs"), ...more });
  // Fills in the form of the page and sends it.
  const sends = (fields) => async (page) => {
    await page.evaluate((fields) => {
      for (const [name, value] of Object.entries(fields)) {
        for (const input of document.querySelectorAll(`[name="${name}"]`)) {
          if (input.type === "radio") input.checked = input.value === value;
          else input.value = value;
        }
      }
    }, fields);
    await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), page.click("main button")]);
  };

  // What can be paid, and how.
  const plain = await link({ description: "Hecha a mano en Puebla, de 350 ml" });
  add("pay", plain.path);
  const range = await link({ title: "Donativo", amount: undefined, amountMin: 20, amountMax: 5000 });
  add("pay any amount", range.path);
  add("pay any amount, refused", range.path, { act: sends({ amount: "9,99", name: "4242 4242 4242 4242", email: "ana@" }), status: 422 });
  const months = await link({ title: "Recámara", amount: 12_345.67, installments: [3, 6, 12] });
  add("pay in months", months.path);
  const long = await link({
    title: "Anticipo_del_pedido_especial_de_vajilla_de_talavera_para_la_boda_de_Ana_Torres_y_Luis_Hernández",
    description: "Doce lugares. ".repeat(30).trim(),
    amount: 1_234_567.89,
    allowedMethods: ["card", "spei"],
  });
  add("pay a long title", long.path);
  add("pay by SPEI, chosen", plain.path, { act: sends({ method: "spei" }) });

  const product = await post("/products", { name: "Ramo de girasoles", price: 150, inventory: 500 });
  const customer = await post("/customers", { name: "Ana Torres" });
  const order = await post("/orders", { customerId: customer.id, items: [{ productId: product.id, quantity: 2 }] });
  add("pay an order", pathOf(await post("/payment-links", { orderId: order.id })));
  const items = [{ description: "Ramo", satProductKey: "10161500", quantity: 1, unitPrice: 1160 }];
  const stamped = (paid) => post("/invoices?stamp=true", { receiver: BUYER, items, ...paid });
  const invoice = await stamped({ paymentMethod: "PPD" });
  add("pay an invoice", pathOf(await post("/payment-links", { invoiceId: invoice.id })));

  // Attempts.
  const card = await attempt("card");
  add("card", card.page);
  add("card at the bank", `${card.page}/bank`);
  const inMonths = await attempt("card", { amount: 7000, installments: [3, 6, 12] });
  add("card at the bank, in months", `${inMonths.page}/bank`);
  const paid = await attempt("card", { successUrl: "https://shop.example.com/thanks" });
  await visit(`${paid.page}/bank`, { event: "pay" });
  add("card, paid", paid.page);
  const declined = await attempt("card", { amount: 7000.02 });
  await visit(`${declined.page}/bank`, { event: "decline" });
  add("card, declined", declined.page);
  const working = await attempt("card");
  await simulate(working, "process");
  add("card, processing", working.page);
  const spei = await attempt("spei");
  add("SPEI", spei.page);
  const part = await attempt("spei");
  await simulate(part, "pay", { amount: 100 });
  add("SPEI, a part", part.page);
  const oxxo = await attempt("oxxo");
  add("OXXO", oxxo.page);
  const expired = await attempt("oxxo");
  await simulate(expired, "expire");
  add("OXXO, expired", expired.page);
  const late = await attempt("oxxo");
  await simulate(late, "expire");
  await simulate(late, "pay");
  add("OXXO, paid late", late.page);
  const excess = await attempt("spei");
  await simulate(excess, "pay", { amount: 300 });
  add("SPEI, too much", excess.page);
  const short = await attempt("spei");
  await simulate(short, "pay", { amount: 100 });
  await simulate(short, "expire");
  add("SPEI, too little", short.page);
  const canceled = await attempt("spei");
  await visit(`${canceled.page}/cancel`, {});
  add("SPEI, given up", canceled.page);
  const unclear = await attempt("spei", { amount: 7000.19 });
  await simulate(unclear, "pay");
  add("SPEI, something else", unclear.page);
  const asking = await link({ amount: 7000.07 });
  add("SPEI, asking", asking.path, { act: sends({ method: "spei" }) });

  // What cannot be paid.
  const off = await link();
  await post(`/payment-links/${off.id}/deactivate`);
  add("closed", off.path, { status: 410 });
  const done = await attempt("card", { maxPayments: 1 });
  await visit(`${done.page}/bank`, { event: "pay" });
  add("completed", done.path, { status: 410 });
  const busy = await attempt("card", { maxPayments: 1 });
  add("busy", busy.path, { status: 409 });
  const many = await link({ title: "Muy solicitada" });
  for (let tries = 0; tries < 30; tries += 1) await begin(many.path, "card");
  add("too many tries", many.path, { act: sends({ method: "spei" }), status: 429 });
  const none = await link({ allowedMethods: ["card"] });
  for (let tries = 0; tries < 10; tries += 1) {
    await visit(`${await begin(none.path, "card")}/bank`, { event: "decline" });
  }
  add("no method", none.path, { status: 503 });
  add("nothing", `/pay/${NOBODY}`, { status: 404 });
  add("no attempt", `${plain.path}/a/${NOBODY}`, { status: 404 });
  add("too often", `/tax-data/${NOBODY}`, {
    act: async (page, address) => {
      const looks = Array.from({ length: 60 }, () => fetch(page.url(), { headers: { "X-Forwarded-For": address } }));
      await Promise.all(looks);
      await page.reload({ waitUntil: "networkidle0" });
    },
    status: 429,
  });

  // Quotes.
  const quote = async (more) => {
    const offer = { customerId: customer.id, title: "Ramos para la boda", items: [{ productId: product.id, quantity: 12, discount: { percent: 5 } }] };
    const made = await post("/crm/quotes", { ...offer, ...more });
    await post(`/crm/quotes/${made.id}/send`);
    return { id: made.id, path: pathOf(made) };
  };
  // Sends the form that goes there, which may be folded up.
  const sendsTo = (place, fields) => async (page) => {
    await page.evaluate((place, fields) => {
      const form = document.querySelector(`form[action$="/${place}"]`);
      for (const [name, value] of Object.entries(fields)) form.querySelector(`[name="${name}"]`).value = value;
    }, place, fields);
    const submit = (page, place) => page.evaluate((place) => document.querySelector(`form[action$="/${place}"]`).submit(), place);
    await Promise.all([page.waitForNavigation({ waitUntil: "networkidle0" }), submit(page, place)]);
  };
  const offered = await quote({ notes: "Entrega el sábado.\nAnticipo del 50 %.", discount: { percent: 10 }, shipping: { name: "Envío a domicilio", amount: 120 } });
  add("quote", offered.path);
  add("quote, a question refused", offered.path, { act: sendsTo("questions", { question: " ", email: "ana@" }), status: 422 });
  add("quote, a question", offered.path, { act: sendsTo("questions", { question: "¿Incluye jarrón?" }) });
  add("quote, another revision", offered.path, { act: sendsTo("accept", { revision: "9" }), status: 409 });
  const bought = await quote({ paymentLink: true });
  await post(`/crm/quotes/${bought.id}/accept`);
  add("quote, ordered", bought.path);
  const scarce = await quote({ items: [{ productId: product.id, quantity: 100_000 }] });
  await post(`/crm/quotes/${scarce.id}/accept`);
  add("quote, accepted", scarce.path);
  const declinedQuote = await quote();
  await post(`/crm/quotes/${declinedQuote.id}/reject`, { reason: "Caro" });
  add("quote, turned down", declinedQuote.path);
  add("quote, nothing", `/quotes/${NOBODY}`, { status: 404 });

  // Tax data.
  const data = pathOf(await post(`/customers/${customer.id}/tax-link`));
  add("tax data", data);
  const wrong = { rfc: "CACX", taxZip: "123", taxRegime: "", cfdiUse: "", email: "x" };
  add("tax data, refused", data, { act: sends({ ...GOOD, ...wrong }), status: 400 });
  add("tax data, against the rules", data, { act: sends({ ...GOOD, taxRegime: "605" }), status: 400 });
  const abroad = { rfc: "XEXX010101000", taxZip: "", taxRegime: "", cfdiUse: "", taxResidence: "USA", foreignTaxId: "12-3456789" };
  add("tax data, abroad", data, { act: sends({ ...GOOD, ...abroad }), status: 400 });
  add("tax data, doubted", data, { act: sends({ ...GOOD, rfc: "CACX7605101P9" }) });
  add("tax data, saved", data, { act: sends(GOOD) });
  add("tax data, nothing", `/tax-data/${NOBODY}`, { status: 404 });

  // Invoices.
  const invoiceLink = async (id) => pathOf(await post(`/invoices/${id}/link`));
  add("invoice", await invoiceLink(invoice.id));
  const revoked = await stamped({ paymentForm: "01" });
  await post(`/invoices/${revoked.id}/cancel`, { reason: "02" });
  add("invoice, cancelled", await invoiceLink(revoked.id));
  add("invoice, nothing", `/invoice/${NOBODY}`, { status: 404 });

  // The reference.
  const index = await (await visit("/docs")).text();
  const chapters = new Set([...index.matchAll(/href="(\/docs\/[a-z-]+)"/g)].map((match) => match[1]));
  add("docs", "/docs");
  for (const chapter of chapters) add(`docs ${chapter.slice(6)}`, chapter);
  const clicks = (words) => async (page) => {
    await page.setViewport({ width: 390, height: 844 });
    await page.evaluate((words) => [...document.querySelectorAll("button")].find((it) => it.textContent === words).click(), words);
  };
  add("docs, menu", "/docs/orders", { act: clicks("Menu"), sizes: ["phone"] });
  add("docs, a request", "/docs/orders", { act: clicks("Try it") });
  add("docs search", "/docs/search?q=invoice");
  add("docs search, nothing", "/docs/search?q=xylophone");
  add("docs nothing", "/docs/nothing-of-the-kind", { status: 404 });
  return all;
}
