// What the panel does beyond its pages, which work without it: copying, keys, closing, and one submit for one click.
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

// Choices that do not fit what another field says are put away; the one that was made stays.
const kind = (rfc) => (/^X[AE]XX010101000$/.test(rfc) ? "generic" : { 12: "legal", 13: "natural" }[rfc.length]);
function narrow(select, source) {
  const value = source.value.trim().toUpperCase();
  const word = source.tagName === "SELECT" ? value : kind(value);
  for (const option of select.options) {
    const fits = !word || !option.dataset.for || option.selected || option.dataset.for.split(" ").includes(word);
    option.hidden = option.disabled = !fits;
  }
}
for (const select of document.querySelectorAll("select[data-by]")) {
  const source = document.getElementById(select.dataset.by);
  source?.addEventListener("input", () => narrow(select, source));
}

// A form that is judged is looked at again 400 ms after a change; what is wrong then stands where the page would have it.
function take(form, page) {
  const fresh = page.querySelector("form[data-judged]");
  if (!fresh) return;
  const problems = (of) => (of.previousElementSibling?.matches(".notice.bad") ? of.previousElementSibling : null);
  problems(form)?.remove();
  const wrong = problems(fresh);
  if (wrong) {
    wrong.removeAttribute("autofocus");
    wrong.setAttribute("role", "status");
    form.before(wrong);
  }
  for (const control of form.querySelectorAll("input[id], select[id], textarea[id]")) {
    const other = page.getElementById(control.id);
    document.getElementById(`${control.id}-fault`)?.remove();
    if (!other) continue;
    for (const name of ["aria-invalid", "aria-describedby"]) {
      if (other.hasAttribute(name)) control.setAttribute(name, other.getAttribute(name));
      else control.removeAttribute(name);
    }
    const fault = page.getElementById(`${control.id}-fault`);
    if (!fault) continue;
    control.closest(".field").append(fault);
    const around = control.closest("details");
    if (around) around.open = true;
  }
  form.querySelector(".actions button").textContent = fresh.querySelector(".actions button").textContent;
}
for (const form of document.querySelectorAll("form[data-judged]")) {
  let timer;
  let turn = 0;
  const look = async () => {
    const now = ++turn;
    const sent = new URLSearchParams(new FormData(form));
    if (sent.get("constancia")) { form.requestSubmit(form.querySelector("button[name=check]")); return; }
    sent.set("check", "true");
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: sent }).catch(() => null);
    // What was signed out meanwhile, or refused, is told when the form is sent.
    if (!answer?.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (now === turn && !form.dataset.sent) take(form, page);
  };
  form.addEventListener("input", () => { turn += 1; clearTimeout(timer); timer = setTimeout(look, 400); });
  form.addEventListener("submit", () => { turn += 1; clearTimeout(timer); });
}

// What is filled in is kept every five seconds, but for secrets and files, and offered again if it is never sent.
for (const form of document.querySelectorAll("form[data-keep]")) {
  let isChanged = false;
  form.addEventListener("input", () => { isChanged = true; });
  const keeping = setInterval(async () => {
    if (!isChanged || form.dataset.sent) return;
    isChanged = false;
    const secret = new Set();
    for (const field of form.querySelectorAll("[type=password], [type=file], [data-secret]")) secret.add(field.name);
    const body = new URLSearchParams();
    for (const [name, text] of new FormData(form)) if (!secret.has(name)) body.append(name, text);
    try {
      const reply = await fetch(form.dataset.keep, { method: "POST", body, redirect: "manual" });
      if (reply.status === 429 || reply.status >= 500) isChanged = true;
      else if (!reply.ok) clearInterval(keeping);
    } catch { isChanged = true; }
  }, 5000);
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

// What lies over the page until Escape or a click beside it.
function over(label, ...parts) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", label);
  dialog.append(...parts);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// The palette: what is typed is found, or done. Without a script the field of the navigation leads to a page that shows the same.
function openPalette() {
  if (document.querySelector("dialog[open]")) return;
  const label = search.getAttribute("aria-label");
  const [input, list] = [document.createElement("input"), document.createElement("ul")];
  const set = (part, names) => { for (const name in names) part.setAttribute(name, names[name]); };
  set(input, { type: "search", role: "combobox", "aria-label": label, "aria-autocomplete": "list",
    "aria-expanded": "true", "aria-controls": "palette-hits" });
  set(list, { id: "palette-hits", role: "listbox", "aria-label": label });
  let [asked, chosen, shown, timer] = [0, 0, null, 0];
  const choose = (place) => {
    const all = [...list.children];
    chosen = all.length ? (place + all.length) % all.length : 0;
    all.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    all[chosen]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", all[chosen]?.id ?? "");
  };
  const look = async () => {
    const [turn, text] = [++asked, input.value];
    const url = `${search.form.action}?${new URLSearchParams({ list: "1", q: text })}`;
    const reply = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    const html = reply?.ok && !reply.redirected ? await reply.text() : "";
    if (turn !== asked) return;
    const links = new DOMParser().parseFromString(html, "text/html").querySelectorAll("#hits a");
    list.replaceChildren(...[...links].map((link, at) => {
      const option = document.createElement("li");
      set(option, { role: "option", id: `palette-${at}`, "data-href": link.getAttribute("href") });
      option.append(...link.childNodes);
      return option;
    }));
    shown = text;
    choose(0);
  };
  // What is not shown yet is looked for by the page, which opens what is meant at once.
  const go = (option) => location.assign(option && shown === input.value ? option.dataset.href
    : `${search.form.action}?${new URLSearchParams({ q: input.value })}`);
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 120); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose(chosen + step);
    if (event.key === "Enter") go(list.children[chosen]);
    if (step || event.key === "Enter") event.preventDefault();
  });
  list.addEventListener("click", (event) => { const option = event.target.closest("li"); if (option) go(option); });
  over(label, input, list).classList.add("palette");
  look();
}

// Which keys there are, with those that go to pages.
async function showKeys() {
  const page = document.querySelector("dialog[open]") ? null : await read("/panel/me/keys").catch(() => null);
  if (!page) return;
  const [title, table] = [page.querySelector("h1"), page.querySelector("#keys")];
  for (const link of Object.values(places)) {
    const row = table.tBodies[0].insertRow();
    const head = row.appendChild(document.createElement("th"));
    head.scope = "row";
    head.appendChild(document.createElement("kbd")).textContent = `g ${link.dataset.key}`;
    row.insertCell().textContent = link.textContent;
  }
  over(title.textContent, title, table);
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
  if (event.key === "?") showKeys();
  if (event.key === "x") document.activeElement?.closest("table.rows tr")?.querySelector("input[type=checkbox]")?.click();
  if (event.key === "n") document.querySelector(".head .actions a:not(.plain)")?.click();
  if (event.key === "j") walk(1);
  if (event.key === "k") walk(-1);
});

// Deals are dragged on their board: by a mouse anywhere on a card, by a finger at its grip, which without script leads to the form that
// is sent here.
const board = document.querySelector(".board[data-moved]");
// As far as a hand trembles, and how near to an edge what is behind it comes forward, and by how much.
const [STILL, EDGE, STEP] = [6, 40, 16];

if (board) {
  const told = document.querySelector(".told");
  const slot = document.createElement("div");
  slot.className = "slot";
  let held = null;
  let isSending = false;

  const tell = (text, kind) => {
    const note = document.createElement("p");
    note.className = `notice ${kind}`;
    note.textContent = text;
    told.replaceChildren(note);
  };
  const said = (text, card, stage) => text
    .replace("%deal", () => card.querySelector("a").textContent)
    .replace("%stage", () => stage.getAttribute("aria-label"));
  const once = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll("+", "-").replaceAll("/", "_");

  const letGo = () => {
    slot.remove();
    board.classList.remove("dragging");
    held?.card.classList.remove("dragged");
    held = null;
  };

  const pointAt = (x, y) => {
    const stage = document.elementFromPoint(x, y)?.closest(".board > .stage");
    if (!stage) { slot.remove(); return; }
    const cards = [...stage.querySelectorAll(".card")].filter((card) => card !== held.card);
    const next = cards.find((card) => {
      const { top, height } = card.getBoundingClientRect();
      return y < top + height / 2;
    });
    stage.insertBefore(slot, next ?? null);
  };

  const comeForward = (x, y) => {
    const { left, right } = board.getBoundingClientRect();
    if (x < left + EDGE) board.scrollLeft -= STEP;
    if (x > right - EDGE) board.scrollLeft += STEP;
    if (y < EDGE) scrollBy(0, -STEP);
    if (y > innerHeight - EDGE) scrollBy(0, STEP);
  };

  // The page that answers a form, or nothing.
  const sent = async (place, fields) => {
    try {
      const answer = await fetch(place, { method: "POST", body: new URLSearchParams(fields) });
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return null;
    }
  };

  const drop = async (card) => {
    const [home, behind, stage] = [card.parentElement, card.nextSibling, slot.parentElement];
    const place = new URL(card.querySelector(".grip").href);
    const to = stage.dataset.stage;
    if ("lost" in stage.dataset && !("lost" in home.dataset)) {
      place.searchParams.set("stage", to);
      location.assign(place);
      return;
    }
    const [above, below] = [slot.previousElementSibling, slot.nextElementSibling];
    const csrf = document.querySelector("input[name=csrf]").value;
    const fields = { csrf, once: once(), stage: to, board: "true" };
    if (below) fields.before = below.dataset.deal;
    else if ("more" in stage.dataset && above.dataset.deal) fields.after = above.dataset.deal;
    const hadFocus = board.contains(document.activeElement);
    slot.replaceWith(card);
    place.search = "";
    isSending = true;
    const page = await sent(place, fields);
    isSending = false;
    const fresh = page?.querySelector(".board");
    if (fresh) {
      tell(said(board.dataset.moved, card, stage), "ok");
      board.replaceChildren(...fresh.childNodes);
      if (hadFocus) board.querySelector(`[data-deal="${card.dataset.deal}"] a`)?.focus({ preventScroll: true });
      return;
    }
    home.insertBefore(card, behind);
    const reasons = page ? [...page.querySelectorAll("[role=alert] li")] : [];
    const why = reasons.map((reason) => reason.textContent).join(" ") || page?.querySelector("h1")?.textContent;
    tell(`${said(board.dataset.stays, card, home)} ${why ?? board.dataset.unanswered}`, "bad");
  };

  board.addEventListener("dragstart", (event) => event.preventDefault());
  board.addEventListener("pointerdown", (event) => {
    const card = event.target.closest(".card");
    const isMeant = event.pointerType === "mouse" || event.target.closest(".grip");
    if (!card || !isMeant || held || isSending || event.button !== 0) return;
    held = { card, pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false };
  });
  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (event.buttons === 0) { letGo(); return; }
    const { clientX: x, clientY: y } = event;
    if (!held.isMoving) {
      if (Math.hypot(x - held.x, y - held.y) < STILL) return;
      held.isMoving = true;
      held.card.classList.add("dragged");
      board.classList.add("dragging");
      board.setPointerCapture(held.pointer);
    }
    comeForward(x, y);
    pointAt(x, y);
  });
  addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { card, isMoving } = held;
    const isElsewhere = slot.parentElement && slot.previousElementSibling !== card && slot.nextElementSibling !== card;
    if (isMoving) {
      // It is no click on what the pointer was on.
      const still = (click) => { click.preventDefault(); click.stopPropagation(); };
      addEventListener("click", still, { capture: true });
      setTimeout(() => removeEventListener("click", still, { capture: true }));
    }
    if (isMoving && isElsewhere) drop(card);
    letGo();
  });
  addEventListener("pointercancel", (event) => { if (event.pointerId === held?.pointer) letGo(); });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && held) letGo(); });
}

// A ticket is there to be printed.
if (document.body.classList.contains("ticket")) addEventListener("load", () => print());
