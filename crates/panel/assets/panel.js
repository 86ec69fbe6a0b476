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

// A ticket is there to be printed.
if (document.body.classList.contains("ticket")) addEventListener("load", () => print());
