/* The replay without a request per step. Every card carries the steps between which it is there,
   so this only shows and hides; without it the same buttons are links that reload the page. */
const replay = () => document.getElementById("replay");

if (replay()) {
  const { deal, before, after } = replay().dataset;
  const last = Number(replay().dataset.last);
  const link = document.getElementById("link");
  const at = (step) => `?deal=${deal}&step=${step}`;
  const moveOf = (step) => replay().querySelector(`.moves [data-step="${step}"]`);
  let now = Number(replay().dataset.step);
  let saving;

  const show = (step) => {
    now = step;
    for (const item of replay().querySelectorAll("[data-since]")) {
      const until = item.dataset.until ?? Infinity;
      item.hidden = step < item.dataset.since || step >= until;
    }
    for (const card of replay().querySelectorAll("[data-gone]")) {
      const gone = Number(card.dataset.gone);
      const played = step === gone && !("idle" in card.dataset);
      card.classList.toggle("is-now", played);
      card.classList.toggle("is-gone", step >= gone && !played);
      if (step >= gone) card.setAttribute("aria-hidden", "true");
      else card.removeAttribute("aria-hidden");
    }
    replay().querySelector(".eval .now")?.setAttribute("d", `M${(400 * step) / Math.max(1, last)} 0V80`);
    replay().querySelector(".moves [aria-current]")?.removeAttribute("aria-current");
    const move = moveOf(step);
    move.setAttribute("aria-current", "step");
    keepInSight(move);
    aim("first", step > 0 ? at(0) : "");
    aim("back", step > 0 ? at(step - 1) : before);
    aim("on", step < last ? at(step + 1) : after);
    aim("last", step < last ? at(last) : "");
    for (const field of replay().querySelectorAll('input[name="step"]')) field.value = step;
    const words = replay().querySelector("[data-words]");
    words.textContent = words.dataset.words.replace("{step}", step).replace("{last}", last);
    replay().querySelector("output [data-sentence]").textContent = move.dataset.sentence;
    clearTimeout(saving); /* browsers refuse a new address for every step of a key held down */
    saving = setTimeout(() => history.replaceState(history.state, "", at(step)), 200);
    if (!link) return;
    link.value = new URL(at(step), location.href).href;
    document.getElementById("copied").textContent = "";
  };

  const aim = (name, address) => {
    const button = replay().querySelector(`[data-to="${name}"]`);
    if (address) {
      button.href = address;
      button.removeAttribute("aria-disabled");
    } else {
      button.removeAttribute("href");
      button.setAttribute("aria-disabled", "true");
    }
  };

  /* Scrolls the list of moves, never the page. */
  const keepInSight = (move) => {
    const list = document.getElementById("moves");
    const top = move.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    if (top < list.scrollTop + 48 || top > list.scrollTop + list.clientHeight - 48) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  };

  /* Links to other deals, and clicks that open a tab, stay what they are. */
  document.addEventListener("click", (event) => {
    const target = event.target.closest("#replay a[href]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const asked = new URL(target.href).searchParams;
    if (asked.get("deal") !== deal || !moveOf(Number(asked.get("step"))) || "again" in target.dataset) return;
    event.preventDefault();
    show(Number(asked.get("step")));
  });

  const rightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
  const KEYS = { ArrowLeft: rightToLeft ? "on" : "back", ArrowRight: rightToLeft ? "back" : "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .tw")) return;
    const button = replay().querySelector(`[data-to="${KEYS[event.key]}"][href]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  /* The analysis has come: the same page with more in it, at the step that is shown. */
  document.addEventListener("htmx:after:swap", () => show(now));

  keepInSight(moveOf(now));
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select(); /* where there is no clipboard (no TLS), or it may not be written to, it is ready for Ctrl-C */
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      return;
    }
    const copied = document.getElementById("copied");
    copied.textContent = copied.dataset.words;
  });
}
