/* Hints, at tables that have them: asks for one on one's own turn, waits for it, says it and marks
   what it names until the table has moved on. The move waits for nothing. */
(() => {
  "use strict";

  const PATIENCE = 6000;
  const PAUSE = 250;

  const byId = (id) => document.getElementById(id);
  const felt = () => byId("felt");
  const button = byId("ask-hint");
  const panel = byId("advice");
  const csrf = document.body.dataset.csrf;
  let asking = ""; // the version a hint is awaited for
  let said = ""; // the version that something was said about
  let hint = null; // {action, alone}: what is marked

  const now = () => felt().dataset.version;
  const pause = () => new Promise((done) => setTimeout(done, PAUSE));

  async function request(method, version) {
    const body = method === "POST" ? new URLSearchParams({ version }) : undefined;
    const address = body ? button.dataset.url : `${button.dataset.url}?${new URLSearchParams({ version })}`;
    const response = await fetch(address, { method, body, headers: { "X-CSRFToken": csrf } });
    return response.json();
  }

  async function ask() {
    if (felt().dataset.turn !== "mine") return say([button.dataset.turn]);
    const version = now();
    if (asking === version) return undefined;
    asking = version;
    look();
    let answer = { state: "wait" };
    try {
      const until = performance.now() + PATIENCE;
      answer = await request("POST", version);
      while (answer.state === "wait" && version === now() && performance.now() < until) {
        await pause();
        answer = await request("GET", version);
      }
    } catch {
      /* no network, or no answer that can be read: as if none had come */
    }
    if (asking === version) asking = "";
    if (version === now()) {
      if (answer.state === "ready") hint = answer;
      say(answer.said ?? [button.dataset.late]);
    }
    return look();
  }

  function say(sentences) {
    said = now();
    const lines = sentences.map((text) => [Object.assign(document.createElement("p"), { textContent: text }), " "]);
    byId("advice-said").replaceChildren(...lines.flat());
    if (!panel.matches(":popover-open")) panel.showPopover();
    place();
    document.dispatchEvent(new CustomEvent("table:say", { detail: sentences.join(" ") }));
  }

  /** Where the panel covers least of what one needs to decide, and of such places the one nearest the prompt. */
  const NEEDED = [
    ["#hand .card, #prompt > *, #tbar > *", 20],
    [".seat--n :is(.seat__id, .seat__av)", 9],
    [".trick:not(.past) .card, .seat__id, .seat__av, .seat__marks > *, .say, #offer > *", 3],
    [".upcard__c, #trump > *, #tricks", 1], // the prompt names the up-card too
  ];
  const WIDTHS = [32, 22, 17, 13, 11];
  const STEP = 6;

  function needed() {
    return NEEDED.flatMap(([parts, worth]) =>
      [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility({ opacityProperty: true })).map((part) => ({ worth, box: part.getBoundingClientRect() })),
    );
  }

  function place() {
    if (!panel.matches(":popover-open")) return;
    const [boxes, room, goal] = [needed(), felt().getBoundingClientRect(), byId("prompt").getBoundingClientRect()];
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
    let best = { cost: Infinity };
    for (const width of WIDTHS) {
      panel.style.maxInlineSize = `${Math.min(width * em, room.width - em)}px`;
      const { width: wide, height: high } = panel.getBoundingClientRect();
      const [right, low] = [Math.min(room.right, innerWidth) - wide - 4, Math.min(room.bottom, innerHeight) - high - 4];
      for (let y = room.top + 4; y <= low; y += STEP) {
        for (let x = room.left + 4; x <= right + STEP; x += STEP) {
          const left = Math.min(x, right);
          let cost = Math.abs(y + high - goal.top) / 4 + Math.abs(left + wide / 2 - goal.left - goal.width / 2) / 4 + high / 4;
          for (const { worth, box } of boxes) {
            const shared = Math.min(left + wide, box.right + 3) - Math.max(left, box.left - 3);
            const deep = Math.min(y + high, box.bottom + 3) - Math.max(y, box.top - 3);
            if (shared > 0 && deep > 0) cost += worth * shared * deep;
            if (cost >= best.cost) break;
          }
          if (cost < best.cost) best = { cost, width: panel.style.maxInlineSize, left, top: y };
        }
      }
    }
    if (best.cost < Infinity) Object.assign(panel.style, { maxInlineSize: best.width, left: `${best.left}px`, top: `${best.top}px` });
  }

  /** The controls that a hint names: a call that is made alone is two of them. */
  function named() {
    if (!hint) return [];
    const [kind, what] = hint.action.split(":");
    const plain = [kind.replace("_alone", ""), what].filter(Boolean).join(":");
    const find = (value) => document.querySelector(`#felt button[name="action"][value="${CSS.escape(value)}"]`);
    const exact = find(hint.action);
    const alone = (hint.alone || (!exact && plain !== hint.action)) && byId("alone")?.closest("label");
    return [exact ?? find(plain), alone].filter(Boolean);
  }

  /** The frame that stands now: is it one's turn, and is the hint still about it? */
  function look() {
    const mine = felt().dataset.turn === "mine";
    button.hidden = !felt().classList.contains("is-seated");
    button.disabled = false;
    button.setAttribute("aria-disabled", String(!mine));
    button.setAttribute("aria-busy", String(asking === now()));
    if (said && said !== now()) forget();
    const marked = named();
    for (const control of document.querySelectorAll("#felt .is-hinted")) {
      if (!marked.includes(control)) control.classList.remove("is-hinted");
    }
    for (const control of marked) control.classList.add("is-hinted");
  }

  function forget() {
    hint = null;
    said = "";
    if (panel.matches(":popover-open")) panel.hidePopover();
    byId("advice-said").replaceChildren();
  }

  button.addEventListener("click", ask);
  // A move is about to be made: what lies over the table goes first, so that its cards can travel.
  document.addEventListener("submit", (event) => event.target.closest("#felt") && forget(), true);
  document.addEventListener("table:frame", look);
  addEventListener("resize", place);
  document.addEventListener("keydown", (event) => event.key === "Escape" && panel.matches(":popover-open") && panel.hidePopover());
  look();
})();
