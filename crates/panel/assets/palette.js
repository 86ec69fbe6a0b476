// What keys open over any page; it is loaded when one of them is pressed for the first time.

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
export function openPalette(search) {
  if (document.querySelector("dialog[open]")) return;
  const label = search.getAttribute("aria-label");
  const [input, list] = [document.createElement("input"), document.createElement("ul")];
  // What was typed before this was there.
  [input.value, search.value] = [search.value, ""];
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
export async function showKeys(read, places) {
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
