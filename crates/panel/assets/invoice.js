// What the form of an invoice does beyond its page.

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
  const sums = page.querySelector("[data-sums]");
  if (sums) document.querySelector("[data-sums]")?.replaceWith(sums);
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
