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

// What opens over a page closes by Escape and by a click beside it.
const open = () => document.querySelectorAll("details.add[open]");
addEventListener("click", (event) => {
  for (const one of open()) if (!one.contains(event.target)) one.open = false;
});

// Keys: / and Ctrl K search, g and a letter goes to a page, n makes something new, j and k walk through rows.
const places = {};
for (const link of document.querySelectorAll("#navigation [data-key]")) places[link.dataset.key] ??= link;
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
    search.focus();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || words.shortcuts === "off") return;
  const going = isGoing;
  isGoing = event.key === "g" && !going;
  if (going && places[event.key]) { places[event.key].click(); return; }
  if (event.key === "/" && search) { event.preventDefault(); search.focus(); }
  if (event.key === "n") document.querySelector(".head .actions a")?.click();
  if (event.key === "j") walk(1);
  if (event.key === "k") walk(-1);
});

// What goes on in the background is looked at again: what moves is exchanged, and the whole page once it has come to its end.
function pollOn() {
  const moving = document.querySelector("[data-poll]");
  if (moving) setTimeout(lookAgain, moving.dataset.poll * 1000);
}

async function lookAgain() {
  const response = document.hidden ? null : await fetch(location.href).catch(() => null);
  if (response?.redirected) { location.reload(); return; }
  if (response?.ok) {
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    const isOver = !fresh.querySelector("[data-poll]");
    for (const place of isOver ? ["#content"] : ["#progress", "#content .head .pill", "#content .facts"]) {
      const [before, now] = [document.querySelector(place), fresh.querySelector(place)];
      const hadFocus = before?.contains(document.activeElement);
      if (before && now) before.replaceWith(now);
      if (hadFocus && isOver) now?.focus();
    }
    if (isOver) tell([...document.querySelectorAll("#content .head h1, #content .head .pill")].map((it) => it.textContent).join(": "));
  }
  pollOn();
}

// Said to whoever does not see it.
function tell(text) {
  const told = document.createElement("p");
  told.className = "unseen";
  told.setAttribute("role", "status");
  document.body.append(told);
  setTimeout(() => { told.textContent = text; }, 100);
}
pollOn();

// A ticket is there to be printed.
if (document.body.classList.contains("ticket")) addEventListener("load", () => print());
