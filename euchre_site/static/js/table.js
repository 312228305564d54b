/* The live table. The server renders everything; this file only makes it pleasant: cards that
   travel, focus that stays, keys, a second tap before a card is played, a card marked ahead, and word
   of a lost connection. Without it every control is a form that works by itself. The deal of the day
   has no socket: there every form goes by a request. (turn.js calls who has the turn.) */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const felt = () => byId("felt");
  const form = document.querySelector("[data-prefs]");
  const chosen = (name) => new FormData(form).getAll(name).at(-1);
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  const address = document.body.getAttribute("hx-ws:connect");
  const csrf = document.body.dataset.csrf;

  let connected = false; // the socket is open
  let ended = false; // the site has closed it for good
  let running = null; // the view transition on its way
  let picked = null; // {card, version}: the card lifted by a first tap, or picked to be buried
  let ahead = ""; // the card marked before one's turn
  let sent = { what: "", at: 0 }; // the last form: a second click on it is no second wish
  let alone = 0;
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
    // The cards of a transition are painted above everything, open panels too.
    const covered = document.querySelector(":popover-open");
    if (!document.startViewTransition || stillness.matches || document.hidden || covered) return put(text);
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
    const { phase } = felt().dataset;
    const seats = seatsNow();
    last = byId("result")?.dataset.last ?? last;
    remember();
    const [frame, said] = parted(text);
    await htmx.swap({ sourceElement: document.body, target: document.body, swap: "none", text: frame, transition: false });
    if (revisionOf(text) < 0) return shine();
    const invite = byId("invite-link");
    if (invite) invite.textContent = invite.href; // a frame does not know under which address the site is reached
    performance.clearMarks("frame");
    performance.mark("frame");
    if (picked?.version !== felt().dataset.version) picked = null;
    if (said !== told) announce((told = said)); // an answer that says nothing new is not told twice
    for (const news of newsOf(seats)) announce(news);
    document.dispatchEvent(new CustomEvent("table:frame"));
    showPicked();
    showLast();
    keepFocus(focused, phase);
    playAhead();
  }

  /** A notice that takes the place of another stays as long as the first. */
  function shine() {
    for (const animation of byId("notice").getAnimations()) {
      animation.currentTime = 0;
      animation.play();
    }
  }

  /** A frame with the hand in its owner's order, and apart from it what it announces. */
  function parted(text) {
    let said = "";
    const trump = /data-trump="(\w)"/.exec(text)?.[1];
    const frame = text
      .replace(/(<ul id="hand"[^>]*>)(.*?)(<\/ul>)/s, (_all, start, cards, end) => {
        const each = cards.match(/<li\b.*?<\/li>/gs) ?? [];
        return start + inOrder(each, (card) => /data-card="(\w+)"/.exec(card)[1], trump).join("") + end;
      })
      .replace(/<div id="announce"[^>]*>([^<]*)<\/div>/, (_all, words) => {
        said = new DOMParser().parseFromString(words, "text/html").body.textContent;
        return "";
      });
    return [frame, said];
  }

  /** The last back in a fan becomes the card its player has played, so that it flies from there. */
  function nameBacks(text) {
    for (const [, position, card] of text.matchAll(/trick__c--([nwe])[^>]*><span class="card" data-card="(\w+)"/g)) {
      if (document.querySelector(`#mat [data-card="${card}"], #hand [data-card="${card}"]`)) continue;
      const back = document.querySelector(`.seat--${position} .backs .card:last-child`);
      if (back) back.style.viewTransitionName = `card-${card}`;
    }
  }

  /* --- announcements: one message an event; what lands within 300 ms is one -------------------- */

  let told = byId("announce").textContent; // the server's last words
  let pending = [];
  let telling = 0;

  function announce(words) {
    if (!words) return;
    pending.push(words);
    if (felt().dataset.turn === "mine") tell();
    else telling ||= setTimeout(tell, 300);
  }

  function tell() {
    clearTimeout(telling);
    telling = 0;
    byId("announce").textContent = pending.join(" ");
    pending = [];
  }

  document.addEventListener("table:say", ({ detail }) => announce(detail));

  const seatsNow = () => new Map([...document.querySelectorAll(".seat")].map((seat) => [seat.getAttribute("aria-label"), { ...seat.dataset }]));

  /** Who has lost his connection, was relieved by a bot, or is back since the seats stood like that. */
  function newsOf(before) {
    if (["open", "over", "closed"].includes(felt().dataset.phase)) return [];
    return [...seatsNow()]
      .filter(([who, { news }]) => before.has(who) && before.get(who).news !== news)
      .map(([who, { news }]) => news ?? before.get(who).back);
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

  const FOR_GOOD = [4001, 4003, 4404]; // the closes after which trying again helps nobody (games/consumers.py)
  const PROMPT = 20; // tries in quick succession; then the site is left in peace
  let why = ""; // the last thing it said apart from frames

  document.addEventListener("htmx:before:ws:message", (event) => {
    const { text } = event.detail.message;
    event.detail.message.cancelled = true;
    if (revisionOf(text) < 0) why = new DOMParser().parseFromString(text, "text/html").getElementById("notice")?.textContent ?? why;
    show(text);
  });

  document.addEventListener("htmx:ws:close", ({ detail: { connection, code } }) => {
    connection.config.reconnectMaxDelay = connection.attempt < PROMPT ? 1200 : 10000;
    if (!FOR_GOOD.includes(code)) return;
    connection.config.reconnect = false;
    ended = true;
    byId("notice").replaceChildren();
    say("ended");
  });

  document.addEventListener("htmx:after:ws:connection", () => {
    connected = true;
    say("");
  });

  for (const trouble of ["htmx:ws:close", "htmx:ws:error"]) {
    document.addEventListener(trouble, () => {
      connected = false;
      setTimeout(() => connected || ended || say("lost"), 800); // a reload of the server is no news
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
    away.textContent = what === "ended" ? why : what ? away.dataset[what] : "";
    if (what === "ended") away.append(Object.assign(document.createElement("a"), { href: location.href, textContent: away.dataset.anew }));
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
  addEventListener("pageshow", (event) => event.persisted && checkAfterSleep());

  async function checkAfterSleep() {
    if (ended) return;
    try {
      const text = await ask(location.pathname);
      document.dispatchEvent(new CustomEvent("table:time", { detail: Number(/data-made="(\d+)"/.exec(text)?.[1] ?? Date.now()) }));
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
      if (ended) {
        event.preventDefault();
        event.stopImmediatePropagation();
        byId("away").querySelector("a").focus();
      } else if (!form.hasAttribute("hx-ws:send")) {
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

  /* --- never a misclick: what a frame has just put under the finger is not pressed yet ------------ */

  const CALM = 300;
  const CONTROLS = "#felt :is(button, a, label)";
  const cards = () => [...document.querySelectorAll("#hand [data-card]")];
  let shown = []; // what could be pressed before each of the last frames

  const meaning = (control) =>
    [felt().dataset.phase, control.id, control.type, control.value, control.href, control.htmlFor].join(" ");

  function remember() {
    const controls = [...document.querySelectorAll(CONTROLS)];
    shown = recent();
    shown.push({
      until: performance.now() + CALM,
      hand: cards().map(meaning),
      controls: controls.map((control) => ({ means: meaning(control), box: control.getBoundingClientRect() })),
    });
  }

  const recent = () => shown.filter(({ until }) => until > performance.now());
  const within = ({ left, right, top, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;

  document.addEventListener(
    "click",
    (event) => {
      const control = event.isTrusted && event.target.closest?.(CONTROLS);
      if (!control) return;
      const pointed = event.detail > 0;
      const same = ({ controls }) =>
        controls.some(({ means, box }) => means === meaning(control) && (!pointed || within(box, event.clientX, event.clientY)));
      if (recent().every(same)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  /** A key held down presses once. */
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && [" ", "Enter"].includes(event.key) && event.target.closest?.(CONTROLS)) event.preventDefault();
    },
    true,
  );

  /* --- cards: a first tap lifts, a second plays; a card to bury is picked first; before one's turn
         a tap marks the card that is to be played -------------------------------------------------- */

  let pointer = "";
  document.addEventListener("pointerdown", (event) => (pointer = event.pointerType), true);

  document.addEventListener(
    "click",
    (event) => {
      const card = event.target.closest?.("#hand [data-card]");
      if (!card) return;
      if (event.isTrusted && dragged) return event.preventDefault();
      if (card.type !== "submit") return markable() && mark(card.dataset.card);
      const lifted = picked?.card === card.dataset.card;
      const twice = chosen("taps") === "two" || (chosen("taps") === "auto" && event.isTrusted && event.detail > 0 && pointer === "touch");
      if (!card.dataset.bury && (lifted || !twice)) return;
      event.preventDefault();
      picked = lifted && card.dataset.bury ? null : { card: card.dataset.card, version: felt().dataset.version };
      showPicked();
      if (!card.dataset.bury) sayAgain();
    },
    true,
  );

  const play = (card) => card.form.requestSubmit(card);

  function showPicked() {
    const marks = markable();
    if (ahead && !byId(`card-${ahead}`)) ahead = "";
    for (const card of cards()) {
      const code = card.dataset.card;
      card.classList.toggle("is-sel", card.type === "submit" && picked?.card === code);
      if (card.dataset.bury) card.setAttribute("aria-pressed", picked?.card === code);
      if (card.type === "submit" || card.classList.contains("is-off")) delete card.dataset.ahead;
      else showMark(card, marks, ahead === code);
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
    button.addEventListener("click", () => play(card));
    place.append(button);
  }

  /** Who lifts a card is told what plays it, until the next frame. */
  function sayAgain() {
    const again = document.querySelector(".turn")?.dataset.again;
    if (!again) return;
    byId("hint").textContent = again;
    announce(again);
  }

  /** A card that stands picked when the time runs out is the one to bury. */
  document.addEventListener("table:late", () => {
    if (felt().dataset.phase === "exchange" && picked?.version === felt().dataset.version) byId("bury")?.querySelector("button")?.click();
  });

  /** May a card be marked now? While others play; not while one sits out or a bot keeps the seat. */
  function markable() {
    const { phase, turn } = felt().dataset;
    return chosen("ahead") === "on" && phase === "play" && turn === "other" && !document.querySelector(".hand.is-out, .prompt--keeper");
  }

  function showMark(card, may, on) {
    if (may) card.removeAttribute("aria-disabled");
    else card.setAttribute("aria-disabled", "true");
    if (may) card.setAttribute("aria-pressed", on);
    else card.removeAttribute("aria-pressed");
    if (on) card.dataset.ahead = form.dataset.mark;
    else delete card.dataset.ahead;
  }

  function mark(code) {
    ahead = ahead === code ? "" : code;
    showPicked();
    announce(ahead ? form.dataset.marked : form.dataset.unmarked);
  }

  /** One's turn has come: play the marked card if it may be, or the only one that may, if that is wished. */
  function playAhead() {
    clearTimeout(alone);
    const { phase, turn, version } = felt().dataset;
    if (phase !== "play") ahead = "";
    if (turn !== "mine" || phase !== "play") return;
    const card = byId(`card-${ahead}`);
    const legal = document.querySelectorAll("#hand .is-legal");
    ahead = "";
    if (card?.matches(".is-legal")) return play(card);
    if (card) announce(form.dataset.void);
    if (legal.length !== 1 || chosen("only") !== "on") return;
    alone = setTimeout(() => {
      if (felt().dataset.version === version && chosen("only") === "on") play(legal[0]);
    }, 900);
  }

  /* --- the order of the hand ------------------------------------------------------------------- */

  const SUITS = "SHCD";
  const RANKS = "AKQJT987";

  /** Suits in turns of colour, high cards first; if wished, trump at one end with its bowers. */
  function inOrder(list, codeOf, trump) {
    const wish = chosen("sort");
    const first = wish === "suit" ? -1 : SUITS.indexOf(trump || "?");
    const place = (code) => {
      if (code === "B") return first < 0 || wish === "left" ? -1 : 300;
      let suit = SUITS.indexOf(code[1]);
      let rank = RANKS.indexOf(code[0]) + 2;
      if (first >= 0 && code[0] === "J" && suit % 2 === first % 2) {
        rank = suit === first ? 0 : 1;
        suit = first;
      }
      if (first >= 0) suit = (suit - first + (wish === "left" ? 4 : 3)) % 4;
      return suit * 10 + rank;
    };
    const aside = list.filter((item) => /is-up/.test(item.className ?? item.slice(0, 30)));
    const held = list.filter((item) => !aside.includes(item));
    return [...held.sort((one, other) => place(codeOf(one)) - place(codeOf(other))), ...aside];
  }

  function sortHand() {
    const hand = byId("hand");
    if (!hand) return;
    const list = inOrder([...hand.children], (item) => item.querySelector("[data-card]").dataset.card, felt().dataset.trump);
    if (list.some((item, at) => hand.children[at] !== item)) hand.append(...list);
  }

  /* --- a card may be dragged to the mat too ------------------------------------------------------- */

  let drag = null;
  let dragged = false; // the click that ends a drag is none

  document.addEventListener("pointerdown", (event) => {
    dragged = false;
    const card = event.target.closest?.("#hand .is-legal");
    drag = card && event.isPrimary && event.button === 0 ? { card, x: event.clientX, y: event.clientY } : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!dragged && Math.hypot(x, y) < 12) return;
    dragged = true;
    drag.card.classList.add("is-dragged");
    drag.card.style.translate = `${x}px ${y}px`;
  });

  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      if (!drag || !event.isPrimary) return;
      const { card } = drag;
      drag = null;
      card.classList.remove("is-dragged");
      card.style.translate = "";
      const over = within(byId("mat").getBoundingClientRect(), event.clientX, event.clientY);
      if (end === "pointerup" && dragged && over && card.matches("#hand .is-legal")) play(card);
    });
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
    if (chosen("keys") === "off" || typing || event.repeat || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "?") {
      event.preventDefault();
      byId("tmenu").showPopover();
      document.querySelector(".keys").open = true;
      document.querySelector(".keys summary").focus();
      return;
    }
    if (key === "enter" && event.target !== document.body && event.target !== felt() && !event.target.matches("#hand *")) return;
    const number = /^[1-6]$/.test(key) ? Number(key) - 1 : -1;
    const control =
      number >= 0
        ? cards()[number]
        : [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find((found) => found.checkVisibility?.() ?? true);
    if (!control || (key === "enter" && event.target.matches("#hand *") && !byId("bury")?.firstChild)) return;
    event.preventDefault();
    const means = meaning(control);
    if (control.matches(CONTROLS) && !recent().every(({ hand, controls }) => (number >= 0 ? hand[number] === means : controls.some((one) => one.means === means)))) return;
    if (control.type !== "checkbox") control.focus();
    control.click();
  });

  /* --- the table menu ------------------------------------------------------------------------------- */

  let saving = Promise.resolve();

  /** A choice is shown at once (site.js puts it on <html>) and kept by the site: that one alone, one after
      the other, so that two devices or two quick choices do not undo each other. */
  form.addEventListener("change", ({ target: { name } }) => {
    const body = new URLSearchParams({ csrfmiddlewaretoken: csrf, [name]: chosen(name) });
    saving = saving.then(() => fetch(form.getAttribute("action"), { method: "POST", body, redirect: "manual", keepalive: true })).catch(() => {});
    if (name === "sort") sortHand();
    if (name === "ahead") ahead = "";
    showPicked();
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
  sortHand();
  showPicked();
  playAhead();
})();
