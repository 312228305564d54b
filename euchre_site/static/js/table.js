/* The live table. The server renders everything; this file only makes it pleasant: cards that
   travel, focus that stays, keys, a second tap before a card is played, and word of a lost
   connection. Without it every control is a form that works by itself. The deal of the day has
   no socket: there every form goes by a request. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const felt = () => byId("felt");
  const title = document.title;
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const address = document.body.getAttribute("hx-ws:connect");
  const csrf = document.body.dataset.csrf;

  let connected = false; // the socket is open
  let running = null; // the view transition on its way
  let picked = null; // {card, version}: the card lifted by a first tap, or picked to be buried
  let sent = { what: "", at: 0 }; // the last form: a second click on it is no second wish
  let soon = 0;
  let burial = 0;
  let calm = 0;
  let last = ""; // what came of the deal before this one

  /* --- frames ------------------------------------------------------------------------------ */

  const revisionOf = (text) => Number(/data-revision="(\d+)"/.exec(text)?.[1] ?? -1);

  /** Show a frame unless a newer one stands already; a notice is a frame without a revision. */
  function show(text) {
    const revision = revisionOf(text);
    if (revision < 0) return put(text);
    if (revision < Number(felt().dataset.revision)) return undefined;
    running?.skipTransition();
    if (!document.startViewTransition || stillness.matches || document.hidden) return put(text);
    nameBacks(text);
    const transition = document.startViewTransition(() => put(text));
    running = transition;
    transition.ready.catch(() => {}); // skipped by the next frame
    return transition.finished.finally(() => {
      if (running === transition) running = null;
    });
  }

  /** Put a frame in place, by id, and keep what belongs to this browser alone. */
  async function put(text) {
    const focused = document.activeElement;
    const phase = felt().dataset.phase;
    last = byId("result")?.dataset.last ?? last;
    await htmx.swap({ sourceElement: document.body, target: document.body, swap: "none", text, transition: false });
    if (revisionOf(text) < 0) return;
    if (picked?.version !== felt().dataset.version) picked = null;
    restartClocks();
    showPicked();
    showTurn();
    showLast();
    buryInTime();
    keepFocus(focused, phase);
  }

  /** The last back in a fan becomes the card its player has played, so that it flies from there. */
  function nameBacks(text) {
    for (const [, position, card] of text.matchAll(/trick__c--([nwe])[^>]*><span class="card" data-card="(\w+)"/g)) {
      if (document.querySelector(`#mat [data-card="${card}"], #hand [data-card="${card}"]`)) continue;
      const back = document.querySelector(`.seat--${position} .backs .card:last-child`);
      if (back) back.style.viewTransitionName = `card-${card}`;
    }
  }

  /** Countdowns start anew with the seconds the server has just sent. */
  function restartClocks() {
    for (const clock of document.querySelectorAll(".clock__left, .count, .hurry")) {
      for (const animation of clock.getAnimations()) animation.currentTime = 0;
    }
  }

  function showTurn() {
    const { turn, title: yours, soon: warning, version } = felt().dataset;
    document.title = turn === "mine" ? `${yours} · ${title}` : title;
    clearTimeout(soon);
    if (turn !== "mine") return;
    const left = parseFloat(felt().style.getPropertyValue("--left")) || 0;
    if (left <= 6) return;
    soon = setTimeout(() => {
      if (felt().dataset.version === version) byId("announce").textContent = warning;
    }, (left - 5) * 1000);
  }

  /** The result closes by itself: its last line stays while the first round of bidding lasts. */
  function showLast() {
    document.querySelector(".mat__last")?.remove();
    if (!last || felt().dataset.phase !== "bid1") return;
    byId("mat").append(Object.assign(document.createElement("p"), { className: "mat__last", textContent: last }));
  }

  function keepFocus(focused, phase) {
    const over = felt().dataset.phase !== phase && byId("over");
    if (over) {
      Promise.all(over.getAnimations().map((late) => late.finished)).then(() => byId("over-h")?.focus());
      return;
    }
    if (focused === document.body || document.activeElement === focused) return;
    const again = focused.id && byId(focused.id);
    (again || felt()).focus({ preventScroll: true });
  }

  /* --- the socket -------------------------------------------------------------------------- */

  document.addEventListener("htmx:before:ws:message", (event) => {
    event.detail.message.cancelled = true;
    show(event.detail.message.text);
  });

  document.addEventListener("htmx:after:ws:connection", () => {
    connected = true;
    say("");
  });

  for (const trouble of ["htmx:ws:close", "htmx:ws:error"]) {
    document.addEventListener(trouble, () => {
      connected = false;
      setTimeout(() => connected || say("lost"), 800); // a reload of the server is no news
    });
  }
  addEventListener("pagehide", () => (connected = true)); // leaving is not losing

  /** A trouble stands until it is over; that it is over is said for a moment. */
  function say(what) {
    const away = byId("away");
    clearTimeout(calm);
    if (!what && away.dataset.said === "lost") what = "back";
    away.dataset.said = what;
    away.classList.toggle("is-back", what === "back");
    away.textContent = what ? away.dataset[what] : "";
    if (what === "back") calm = setTimeout(say, 3000, "");
  }

  /** After sleep a socket may look open and be dead: ask once, and start afresh if it was. */
  let lastTick = Date.now();
  setInterval(() => {
    const gap = Date.now() - lastTick;
    lastTick = Date.now();
    if (gap > 15000 && !document.hidden) checkAfterSleep();
  }, 5000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && connected) checkAfterSleep();
  });
  addEventListener("online", checkAfterSleep);

  async function checkAfterSleep() {
    try {
      const text = await ask(location.pathname);
      setTimeout(() => {
        if (revisionOf(text) > Number(felt().dataset.revision)) location.reload();
      }, 1000);
    } catch {
      /* no network: the socket's own reconnecting goes on */
    }
  }

  async function ask(url, body) {
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      body,
      headers: { "HX-Request": "true", ...(body && { "X-CSRFToken": csrf }) },
    });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    return response.text();
  }

  /* --- forms --------------------------------------------------------------------------------- */

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.matches("[data-prefs]")) return;
      if ("visitor" in document.body.dataset) {
        event.stopImmediatePropagation(); // an ordinary form: the site has him join first
        addToken(form);
        return;
      }
      const what = `${form.elements.version?.value} ${event.submitter?.value}`;
      if (what === sent.what && Date.now() - sent.at < 300) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      sent = { what, at: Date.now() };
      byId("notice").replaceChildren();
      if (!form.hasAttribute("hx-ws:send")) {
        addToken(form);
      } else if (!connected) {
        event.preventDefault();
        event.stopImmediatePropagation();
        post(form, event.submitter);
      }
    },
    true,
  );

  /** Frames carry no token; a form that the browser sends itself needs it. */
  function addToken(form) {
    if (form.elements.csrfmiddlewaretoken) return;
    const token = document.createElement("input");
    Object.assign(token, { type: "hidden", name: "csrfmiddlewaretoken", value: csrf });
    form.append(token);
  }

  /** Without the socket the same form goes by an ordinary request. */
  async function post(form, button) {
    const fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    try {
      // form.action would be its buttons of that name
      show(await ask(form.getAttribute("action"), new URLSearchParams(fields)));
      say("");
    } catch {
      say("unsent");
    }
  }

  /* --- cards: a first tap lifts, a second plays; a card to bury is picked first ------------------ */

  document.addEventListener(
    "click",
    (event) => {
      const card = event.target.closest?.("#hand [data-card]");
      if (!card || card.type !== "submit") return;
      const lifted = picked?.card === card.dataset.card;
      const twoTaps = event.pointerType === "touch" && !local.onetap;
      if (!card.dataset.bury && lifted) keep("tapped", true);
      if (!card.dataset.bury && (lifted || !twoTaps)) return;
      event.preventDefault();
      picked = lifted && card.dataset.bury ? null : { card: card.dataset.card, version: felt().dataset.version };
      showPicked();
      if (!card.dataset.bury && !local.tapped) sayAgain();
    },
    true,
  );

  function showPicked() {
    for (const card of document.querySelectorAll('#hand [data-card][type="submit"], #hand [data-card]:not([type])')) {
      const on = picked?.card === card.dataset.card;
      card.classList.toggle("is-sel", on);
      if (card.dataset.bury) card.setAttribute("aria-pressed", on);
    }
    const place = byId("bury");
    if (!place) return;
    place.replaceChildren();
    const card = picked && byId(`card-${picked.card}`);
    if (!card) return;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "btn btn--accent btn--lg", textContent: card.dataset.bury });
    button.dataset.key = "enter";
    button.append(" ", Object.assign(document.createElement("kbd"), { textContent: place.dataset.enter }));
    button.addEventListener("click", () => card.form.requestSubmit(card));
    place.append(button);
  }

  /** Who lifts a card for the first time is told what plays it, until the next frame. */
  function sayAgain() {
    const again = document.querySelector(".turn")?.dataset.again;
    if (!again) return;
    byId("hint").textContent = again;
    byId("announce").textContent = again;
  }

  /** A card that stands picked when the time runs out is the one to bury. */
  function buryInTime() {
    clearTimeout(burial);
    const { turn, phase, version } = felt().dataset;
    if (turn !== "mine" || phase !== "exchange") return;
    const left = parseFloat(felt().style.getPropertyValue("--left")) || 0;
    const due = performance.now() + left * 1000;
    burial = setTimeout(() => {
      const button = byId("bury")?.querySelector("button");
      const late = performance.now() > due - 300; // the page slept: the table has moved on, or will
      if (button && !late && picked?.version === version && felt().dataset.version === version) button.click();
    }, Math.max(0, left - 1.5) * 1000);
  }

  /* --- a finished trick rests; a click passes it -------------------------------------------------- */

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#felt") || event.target.closest("button, a, label")) return;
    for (const animation of felt().getAnimations({ subtree: true })) {
      if (animation.animationName?.startsWith("rest") || animation.animationName === "late") animation.finish();
    }
  });
  setTimeout(() => document.body.classList.remove("is-first"), 3000); // a page that is opened shows no rest

  /* --- keys: they click what is on screen, so they can do nothing that a button could not --------- */

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [popover] *");
    if (!local.keys || typing || event.repeat || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "?") {
      event.preventDefault();
      byId("tmenu").showPopover();
      document.querySelector(".keys").open = true;
      document.querySelector(".keys summary").focus();
      return;
    }
    if (key === "enter" && event.target !== document.body && event.target !== felt() && !event.target.matches("#hand *")) return;
    const control = /^[1-6]$/.test(key)
      ? document.querySelectorAll("#hand [data-card]")[key - 1]
      : [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find((found) => found.checkVisibility?.() ?? true);
    if (!control || (key === "enter" && event.target.matches("#hand *") && !byId("bury")?.firstChild)) return;
    event.preventDefault();
    if (control.type !== "checkbox") control.focus();
    control.click();
  });

  /* --- the table menu ------------------------------------------------------------------------------- */

  /** Kept on this device: bower tags, one tap, keys, and whether a lifted card was ever played. */
  const local = { tags: true, onetap: false, keys: true, tapped: false };
  for (const name of Object.keys(local)) {
    try {
      const kept = localStorage.getItem(`table-${name}`);
      if (kept) local[name] = kept === "on";
    } catch {
      /* private windows may refuse */
    }
    const box = byId(name);
    if (!box) continue;
    box.checked = local[name];
    box.addEventListener("change", () => {
      keep(name, box.checked);
      showLocal();
    });
  }

  function keep(name, value) {
    local[name] = value;
    try {
      localStorage.setItem(`table-${name}`, value ? "on" : "off");
    } catch {
      /* then it lasts as long as the page */
    }
  }

  function showLocal() {
    document.body.classList.toggle("no-tags", !local.tags);
    document.body.classList.toggle("no-keys", !local.keys);
  }
  for (const part of document.querySelectorAll("[data-local]")) part.hidden = false;

  /** Deck, felt and theme: shown at once, kept by the site. */
  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-prefs]");
    if (!form) return;
    const chosen = new FormData(form);
    const usual = { deck: "two", felt: "spruce", theme: "auto" };
    for (const [name, plain] of Object.entries(usual)) {
      const value = chosen.getAll(name).at(-1);
      if (value === plain) delete document.documentElement.dataset[name];
      else document.documentElement.dataset[name] = value;
    }
    fetch(form.action, { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" }).catch(() => {});
  });

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("[data-copy]");
    if (!link) return;
    try {
      event.preventDefault();
      await navigator.clipboard.writeText(link.href);
      byId("notice").replaceChildren(Object.assign(document.createElement("p"), { textContent: link.dataset.copy }));
    } catch {
      location.assign(link.href);
    }
  });

  /* --- start ------------------------------------------------------------------------------------------ */

  // The extension may have been registered after htmx looked the page over.
  htmx.process(document.body);
  connected = htmx.ext?.ws?.getRegistry().get(address)?.socket?.readyState === WebSocket.OPEN;
  showLocal();
  showTurn();
  buryInTime();
})();
