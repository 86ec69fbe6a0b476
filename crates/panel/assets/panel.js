// What every page of the panel may do beyond being read, which works without it. What only some do is in files beside this.
const root = document.documentElement;
const words = root.dataset;

// A button beside what is there to be copied.
for (const area of document.querySelectorAll(".copy textarea")) {
  area.addEventListener("focus", () => area.select());
  // Browsers have it over HTTPS and on localhost only.
  if (!navigator.clipboard) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(area.value);
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  area.after(button);
}

// A form is sent once; coming Back to it lets it be sent again. A field called "method" hides the form's own property.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("method") !== "post") return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "1";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// What is filled in is kept every five seconds and when the page is left, but for secrets and files, and offered again if it is
// never sent. What came back with faults is kept nowhere yet.
for (const form of document.querySelectorAll("form[data-keep]")) {
  let isChanged = Boolean(form.previousElementSibling?.matches(".notice.bad"));
  form.addEventListener("input", () => { isChanged = true; });
  const filledIn = () => {
    isChanged = false;
    const secret = new Set();
    for (const field of form.querySelectorAll("[type=password], [type=file], [data-secret]")) secret.add(field.name);
    const body = new URLSearchParams();
    for (const [name, text] of new FormData(form)) if (!secret.has(name)) body.append(name, text);
    return body;
  };
  const keeping = setInterval(async () => {
    if (!isChanged || form.dataset.sent) return;
    try {
      const reply = await fetch(form.dataset.keep, { method: "POST", body: filledIn(), redirect: "manual" });
      if (reply.status === 429 || reply.status >= 500) isChanged = true;
      else if (!reply.ok) clearInterval(keeping);
    } catch { isChanged = true; }
  }, 5000);
  // Not where a form is sent: this one, or one that discards it.
  addEventListener("pagehide", () => {
    if (isChanged && !document.querySelector("form[data-sent]")) navigator.sendBeacon(form.dataset.keep, filledIn());
  });
}

// The rows of the next page are put below those that are there, so that what was ticked and typed stays.
const news = document.createElement("p");
news.className = "unseen";
news.setAttribute("aria-live", "polite");
document.querySelector("main")?.append(news);

const next = (pager) => pager?.querySelector("a[rel=next]");

function tableOf(pager) {
  let table = pager.previousElementSibling;
  while (table && !table.matches("table.rows")) table = table.previousElementSibling;
  return table;
}

function offerMore() {
  const link = next(document.querySelector("nav.pager"));
  if (link) link.textContent = words.more;
}

async function addRows(link) {
  const pager = link.closest("nav.pager");
  let page, answer;
  try {
    answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    answer = undefined;
  }
  const others = page?.querySelector("nav.pager");
  const rows = others && tableOf(others)?.tBodies[0]?.rows;
  const body = tableOf(pager)?.tBodies[0];
  // Whatever else it is, such as a session that has ended, is seen by going there.
  if (!answer?.ok || answer.redirected || !rows?.length || !body) { location.assign(link.href); return; }
  const [first] = rows;
  body.append(...rows);
  pager.replaceWith(others);
  offerMore();
  news.textContent = words.added;
  first.querySelector("a, input, button")?.focus();
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("nav.pager a[rel=next]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.dataset.sent) return;
  link.dataset.sent = "1";
  addRows(link);
});
offerMore();

// What opens over a page closes by Escape and by a click beside it.
const open = () => document.querySelectorAll("details.add[open]");
addEventListener("click", (event) => {
  for (const one of open()) if (!one.contains(event.target)) one.open = false;
});

// What a button asks before it does anything opens over the page; without a script it is a page of its own.
const read = async (url) => {
  const reply = await fetch(url);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return reply.ok && !reply.redirected ? page.querySelector("#content") : null;
};
addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!submitter?.hasAttribute("data-dialog")) return;
  event.preventDefault();
  const url = `${submitter.formAction}?${new URLSearchParams(new FormData(form))}`;
  const asked = await read(url).catch(() => null);
  if (!asked) { location.assign(url); return; }
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", asked.querySelector("h1").textContent);
  dialog.append(...asked.childNodes);
  const back = dialog.querySelector(".back a");
  back.addEventListener("click", (click) => { click.preventDefault(); dialog.close(); });
  dialog.addEventListener("close", () => { dialog.remove(); submitter.focus(); });
  document.body.append(dialog);
  dialog.showModal();
});

// What goes on is looked at again until it has ended.
async function poll() {
  const job = document.querySelector("[data-poll]");
  if (!job) return;
  const content = await read(location.href).catch(() => undefined);
  const next = content?.querySelector("#job");
  if (content === null) { location.reload(); return; }
  if (next && !next.hasAttribute("data-poll")) document.querySelector("#content").replaceChildren(...content.childNodes);
  else if (next && !job.contains(document.activeElement)) job.replaceChildren(...next.childNodes);
  setTimeout(poll, 2000);
}
if (document.querySelector("[data-poll]")) setTimeout(poll, 2000);

// The palette. Until it is there, the field of the navigation takes what is typed, and leads to the same.
async function openPalette() {
  if (document.querySelector("dialog[open]")) return;
  const before = document.activeElement;
  search.focus({ preventScroll: true });
  const palette = await import("./palette.js").catch(() => null);
  if (!palette) return;
  search.blur();
  before.focus({ preventScroll: true });
  palette.openPalette(search);
}

// Keys: / and Ctrl K search, g and a letter or digit goes to a page, n makes something new, j and k walk through rows, x selects one, ? shows them.
const places = {};
for (const link of document.querySelectorAll("#navigation [data-key]")) places[link.dataset.key] = link;
const search = document.querySelector("#find");
let isGoing = false;

const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable]");

function walk(step) {
  const rows = [...document.querySelectorAll("table.rows tbody th a")];
  const now = rows.indexOf(document.activeElement);
  rows[Math.min(Math.max(now + step, 0), rows.length - 1)]?.focus();
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const one of open()) { one.open = false; one.querySelector("summary").focus(); }
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && search) {
    event.preventDefault();
    openPalette();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || words.shortcuts === "off") return;
  const going = isGoing;
  isGoing = event.key === "g" && !going;
  if (going && places[event.key]) { places[event.key].click(); return; }
  if (event.key === "/" && search) { event.preventDefault(); openPalette(); }
  if (event.key === "?") import("./palette.js").then(({ showKeys }) => showKeys(read, places), () => {});
  if (event.key === "x") document.activeElement?.closest("table.rows tr")?.querySelector("input[type=checkbox]")?.click();
  const anew = event.key === "n" && document.querySelector(".head .actions a:not(.plain)");
  if (anew) { sessionStorage.anew = anew.href; anew.click(); }
  if (event.key === "j") walk(1);
  if (event.key === "k") walk(-1);
});

// Who began something new by a key goes on typing.
if (sessionStorage.anew === location.href && document.activeElement === document.body) {
  document.querySelector("#content form[method=post] :is(input:not([type=hidden]), select, textarea)")?.focus();
}
delete sessionStorage.anew;

// A ticket is there to be printed.
if (document.body.classList.contains("ticket")) addEventListener("load", () => print());
