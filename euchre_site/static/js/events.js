/* Pages of events. They follow the event over the socket; this adds what is one's own, the clocks, and
   the projector's pages. Every page works without it. */
(() => {
  const own = () => [...document.querySelectorAll("[data-own]")];

  /* One's own rows, in whatever has just been swapped in. */
  function mark() {
    const mine = document.querySelector("#mine[data-me]");
    if (!mine) return;
    const number = mine.dataset.me;
    const rows = ["s", "p", "e"].map((kind) => `#${kind}-${number}`).concat(`#t-${mine.dataset.table || 0}`);
    for (const row of document.querySelectorAll(rows.join())) if (!row.classList.contains("is-me")) row.classList.add("is-me");
    for (const row of document.querySelectorAll(`[data-e="${number}"]:not([data-me])`)) row.dataset.me = "";
  }

  /* What is one's own is fetched again if something about it has changed: the state of the event or of
     the round, or of the own table. Not all at once. */
  let seen = null;
  function news() {
    const told = document.getElementById("told");
    if (!told?.dataset.stamp) return null;
    const parts = own().map((part) => part.dataset.table).filter(Boolean);
    const tables = told.dataset.tables.split(" ").filter((each) => parts.includes(each.split(":")[0]));
    const early = /^(open|check_in) /.test(told.dataset.stamp) ? told.dataset.version : "";
    return [told.dataset.stamp, early, ...tables].join("|");
  }
  let waiting = 0;
  function look() {
    mark();
    const now = news();
    if (now === null || now === seen) return;
    const first = seen === null && !document.querySelector("#slip[data-own]");
    seen = now;
    if (first || waiting) return;
    waiting = setTimeout(() => {
      waiting = 0;
      for (const part of own()) if (!busy(part)) htmx.ajax("GET", part.dataset.own, { target: part, swap: "outerMorph" });
    }, Math.random() * 600);
  }
  /* Nobody's half-typed score or name is swept away. */
  function busy(part) {
    return [...part.querySelectorAll("form")].some((form) => form.dataset.touched) || !!document.querySelector("#entry form[data-touched]");
  }
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    if (form) form.dataset.touched = "true";
  });

  /* Clocks count down to the end of the round. */
  function tick() {
    for (const clock of document.querySelectorAll("[data-until]")) {
      const left = Math.max(0, Math.round((Date.parse(clock.dataset.until) - Date.now()) / 1000));
      const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      clock.textContent = clock.dataset.word ? `${text} ${clock.dataset.word}` : text;
    }
    for (const clock of document.querySelectorAll("[data-clock]")) {
      clock.textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    }
  }

  /* The projector turns its pages. */
  const TURN = 9000;
  let page = 0, paused = false, turned = 0;
  function turn(step = 0) {
    const wall = document.getElementById("wall");
    if (!wall) return;
    const pages = [...wall.querySelectorAll("[data-page]")];
    page = (page + step + pages.length) % Math.max(1, pages.length);
    pages.forEach((each, at) => { if (each.hidden !== (at !== page)) each.hidden = at !== page; });
    if (step) turned = Date.now();
  }
  function pause(button) {
    paused = !paused;
    button.setAttribute("aria-pressed", String(paused));
  }

  /* Steps of a number. */
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      input.value = String((parseInt(input.value, 10) || 0) + Number(step.dataset.step));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const button = event.target.closest("[data-pause]");
    if (button) pause(button);
    const turner = event.target.closest("[data-turn]");
    if (turner) turn(Number(turner.dataset.turn));
  });

  /* A score is not sent into nothing. */
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-online]")) return;
    const note = event.target.querySelector("[data-offline]");
    if (navigator.onLine) { if (note) note.hidden = true; return; }
    event.preventDefault();
    if (note) note.hidden = false;
  }, true);

  function ready() {
    for (const button of document.querySelectorAll("[data-step][disabled], [data-pause][disabled], [data-turn][disabled]")) button.disabled = false;
    look();
    turn();
    tick();
  }
  document.addEventListener("DOMContentLoaded", () => {
    ready();
    turned = Date.now();
    setInterval(() => {
      tick();
      if (!paused && Date.now() - turned >= TURN) turn(1);
    }, 1000);
    document.addEventListener("htmx:after:ws:message", ready);
    document.addEventListener("htmx:after:swap", ready);
  });
})();
