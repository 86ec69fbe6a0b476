// What the pages of the reference do beyond being read. They are complete without it.
"use strict";

const KEY = "api-key";
const text = (tag, words, className) => {
  const element = document.createElement(tag);
  if (words) element.textContent = words;
  if (className) element.className = className;
  return element;
};
const button = (words, act, className) => {
  const it = text("button", words, className);
  it.type = "button";
  it.addEventListener("click", act);
  return it;
};

// A proxy may have changed scheme and host: the browser knows what the reader sees.
for (const origin of document.querySelectorAll(".origin")) {
  origin.textContent = origin.textContent.replace(/^https?:\/\/[^/]+/, location.origin);
}

for (const command of document.querySelectorAll("pre.command")) {
  const acts = text("div", "", "acts");
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(command.textContent);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 2000);
  });
  copy.setAttribute("aria-live", "polite");
  acts.append(copy);
  const section = command.closest(".operation");
  // Every operation has these buttons: their group says to a screen reader whose they are.
  acts.role = "group";
  acts.ariaLabel = section ? section.querySelector("h2").textContent : "Command";
  if (section) acts.append(button("Try it", (event) => {
    event.target.remove();
    acts.after(form(section));
    acts.nextElementSibling.querySelector("input, textarea, select").focus();
  }));
  command.before(acts);
}

// A form with everything that the operation takes.
function form(section) {
  const it = text("form", "", "try");
  it.append(labelled("API key", input({ name: KEY, type: "password", required: true, value: sessionStorage.getItem(KEY) || "" })));
  for (const place of ["path", "query"]) {
    for (const row of section.querySelectorAll(`.fields[data-in=${place}] > li`)) {
      const choices = [...row.querySelectorAll(".choices code")].map((code) => code.textContent);
      const name = row.dataset.name;
      const known = { name: `${place}:${name}`, required: place === "path" };
      const isList = row.querySelector("i").textContent.startsWith("list");
      it.append(labelled(name, choices.length && !isList ? select(known, choices) : input(known)));
    }
  }
  const example = section.querySelector(".command .body");
  const takesBody = section.querySelector(".fields[data-in=body]");
  if (example || takesBody) {
    const body = text("textarea", (example?.textContent ?? "").replaceAll("'\\''", "'"));
    body.name = "body";
    body.spellcheck = false;
    it.append(labelled("Body", body));
  }
  const send = text("button", `Send ${section.dataset.method.toUpperCase()}`, "send");
  const answer = text("div");
  answer.setAttribute("aria-live", "polite");
  it.append(send, answer);
  it.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(section, new FormData(it), send, answer);
  });
  return it;
}

async function ask(section, values, send, answer) {
  const method = section.dataset.method.toUpperCase();
  const url = new URL(section.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(`path:${name}`))), location.origin);
  for (const [name, value] of values) {
    if (!name.startsWith("query:") || value === "") continue;
    const parameter = name.slice(6);
    // Of `metadata` it is the pair that is asked for: `channel=web`.
    const pair = parameter === "metadata" && value.match(/^([^=]+)=(.*)$/);
    url.searchParams.append(pair ? `metadata[${pair[1]}]` : parameter, pair ? pair[2] : value);
  }
  sessionStorage.setItem(KEY, values.get(KEY));
  const headers = { Authorization: `Bearer ${values.get(KEY)}` };
  const body = values.get("body") || undefined;
  if (body) headers["Content-Type"] = "application/json";
  send.disabled = true;
  answer.replaceChildren(text("p", "Sending …"));
  const started = performance.now();
  try {
    const response = await fetch(url, { method, headers, body });
    const took = Math.round(performance.now() - started);
    answer.replaceChildren(text("p", `${response.status} ${response.statusText} in ${took} ms, request ${response.headers.get("x-request-id")}`));
    answer.append(await shown(response));
  } catch (error) {
    answer.replaceChildren(text("p", `The request could not be sent: ${error.message}`));
  } finally {
    send.disabled = false;
  }
}

async function shown(response) {
  const type = response.headers.get("content-type") || "";
  if (type.includes("json")) {
    // As it was written: numbers of more digits than this language has would be rounded.
    return text("pre", indented(await response.text()));
  }
  if (type.startsWith("text/") || type.includes("xml")) return text("pre", await response.text());
  const bytes = await response.blob();
  if (!bytes.size) return text("p", "No body.");
  const link = text("a", `Save ${type} of ${bytes.size} bytes`);
  link.href = URL.createObjectURL(bytes);
  link.download = "";
  return link;
}

// JSON over several lines without reading its numbers.
function indented(json) {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (part) => {
    if (part === "{" || part === "[") { depth += 1; return part + line(); }
    if (part === "}" || part === "]") { depth -= 1; return line() + part; }
    if (part === ",") return part + line();
    return part === ":" ? ": " : part;
  });
}

function labelled(words, control) {
  const label = text("label", words);
  label.append(control);
  return label;
}

function input(properties) {
  return Object.assign(text("input"), { autocomplete: "off", ...properties });
}

function select(properties, choices) {
  const it = Object.assign(text("select"), properties);
  it.append(...["", ...choices].map((choice) => new Option(choice)));
  return it;
}

// On a phone the menu covers the page: a chosen part of it has to be seen.
const menu = document.querySelector("nav");
menu.addEventListener("click", (event) => {
  if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
});

// Results while they are typed; Enter goes to the page of results.
const search = document.querySelector("[role=search] input");
const content = document.querySelector("main");
const page = [...content.childNodes];
let typed = 0;
search.addEventListener("input", () => {
  const turn = ++typed;
  setTimeout(async () => {
    if (turn !== typed) return;
    const words = search.value.trim();
    if (!words) return content.replaceChildren(...page);
    const response = await fetch(`/docs/search?q=${encodeURIComponent(words)}`);
    const results = new DOMParser().parseFromString(await response.text(), "text/html");
    if (turn === typed) content.replaceChildren(...results.querySelector("main").childNodes);
  }, 120);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    search.focus();
  }
});
