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
