/* The director's desk: answers are shown within the page, so that nothing typed elsewhere is lost;
   other directors' changes come by the socket. Every form and link works without this script. */
(() => {
  "use strict";

  const FIND_AFTER = 250; // milliseconds after the last key
  const region = () => document.getElementById("desk");
  const sheet = () => document.getElementById("desk-sheet");
  const headers = { "HX-Request": "true" };

  /* --- showing an answer ------------------------------------------------------------------------ */

  /** Put the desk of a page that was read into this one. False if it is another kind of page. */
  function show(page, told) {
    const desk = page.getElementById("desk");
    const words = page.getElementById("told");
    if (!desk || !region()) return false;
    htmx.swap({ target: "#desk", swap: "outerMorph", text: desk.outerHTML });
    if (told && words) document.getElementById("told").replaceChildren(...words.childNodes);
    return true;
  }

  async function read(address, options = {}) {
    const response = await fetch(address, { ...options, headers });
    const elsewhere = response.headers.get("HX-Redirect");
    if (elsewhere) location.assign(elsewhere);
    const page = elsewhere ? null : new DOMParser().parseFromString(await response.text(), "text/html");
    return { response, page };
  }

  /* --- forms -------------------------------------------------------------------------------------- */

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("form[data-desk]") || !region()) return;
    const button = event.submitter;
    if (!form.closest("#desk[data-live], #desk-sheet")) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    if (button?.name) body.append(button.name, button.value);
    form.removeAttribute("hx-morph-skip");
    try {
      const { response, page } = await read(button?.getAttribute("formaction") ?? form.action, { method: "POST", body });
      if (!page) return;
      const refused = page.querySelector("#told .note--bad");
      if (refused && form.closest("#desk-sheet")) {
        sheet().querySelector("[data-told]").replaceChildren(...page.getElementById("told").childNodes);
      } else if (response.ok && samePlace(response.url) && show(page, true)) {
        if (form.closest("#desk-sheet")) sheet().close();
        if (!refused && form.isConnected && form.hasAttribute("data-row")) goOn(form);
        else if (!refused && form.isConnected && form.closest("#desk")) clear(form);
      } else {
        location.assign(response.url);
      }
    } catch {
      location.reload();
    } finally {
      delete form.dataset.sent;
    }
  });

  /** A row that was saved is as the server has it; typing goes on in the next that has no score. */
  function goOn(form) {
    form.reset();
    if (!form.contains(document.activeElement) && document.activeElement !== document.body) return;
    const forms = [...document.querySelectorAll("#desk form[data-row]")];
    const after = forms.slice(forms.indexOf(form) + 1).find((row) => !row.elements.a.value);
    after?.elements.a.focus();
  }

  function samePlace(address) {
    return new URL(address).pathname === location.pathname;
  }

  /** A form that was sent is as the server has it, and folded again. */
  function clear(form) {
    form.reset();
    form.closest("details.pop")?.removeAttribute("open");
  }

  /* What somebody is typing stays, whatever comes meanwhile. */
  document.addEventListener("input", (event) => {
    const form = event.target.closest("#desk[data-live] form");
    if (form) form.setAttribute("hx-morph-skip", "");
    if (form?.matches("[data-find]")) later(find, form);
  });

  let waiting = 0;
  function later(what, ...args) {
    clearTimeout(waiting);
    waiting = setTimeout(() => what(...args), FIND_AFTER);
  }

  async function find(form) {
    const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
    history.replaceState(null, "", address);
    await refresh();
  }

  /* --- a table or an entrant in a dialog ----------------------------------------------------------- */

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!sheet()?.showModal) return;
    event.preventDefault();
    const { response, page } = await read(link.href);
    const body = page?.querySelector("[data-sheet-body]");
    if (!response.ok || !body) return void location.assign(link.href);
    for (const next of body.querySelectorAll("input[name=next]")) next.value = location.pathname + location.search;
    sheet().querySelector("[data-told]").replaceChildren();
    sheet().querySelector("[data-body]").replaceChildren(body);
    sheet().showModal();
  });

  /* --- the socket -------------------------------------------------------------------------------------- */

  let reading = false;
  let again = false;

  async function refresh() {
    if (reading) return void (again = true);
    reading = true;
    try {
      const query = new URLSearchParams(location.search);
      query.set("fresh", "1");
      const { response, page } = await read(`${location.pathname}?${query}`);
      if (response.ok && page) show(page, false);
    } catch {
      /* the line is gone; the socket says when it is back */
    } finally {
      reading = false;
    }
    if (again) {
      again = false;
      await refresh();
    }
  }

  document.addEventListener("htmx:after:ws:message", (event) => {
    const version = event.detail.message?.json?.version;
    if (region()?.hasAttribute("data-live") && version > Number(region().dataset.version)) refresh();
  });

  /* --- the clock ----------------------------------------------------------------------------------------- */

  const ends = new WeakMap();

  function tick() {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const known = ends.get(clock);
      if (known?.left !== clock.dataset.left) {
        ends.set(clock, { left: clock.dataset.left, at: performance.now() + 1000 * Number(clock.dataset.left) });
      }
      const left = Math.max(0, Math.round((ends.get(clock).at - performance.now()) / 1000));
      const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
      const two = (number) => String(number).padStart(2, "0");
      clock.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
    }
  }
  setInterval(tick, 1000);

  /* --- choosing a format: how each behaves for so many ------------------------------------------------------- */

  const LOOKED_AT = ["expected", "hours", "format", "rounds_planned", "round_minutes", "break_minutes"];

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-chooser]");
    if (form && LOOKED_AT.includes(event.target.name)) later(look, form);
  });

  async function look(form) {
    const query = new URLSearchParams({ look: "1" });
    for (const name of LOOKED_AT) query.set(name, form.elements[name]?.value ?? "");
    const { response, page } = await read(`${location.pathname}?${query}`);
    const chooser = page?.getElementById("chooser");
    if (response.ok && chooser) htmx.swap({ target: "#chooser", swap: "outerMorph", text: chooser.outerHTML });
  }

  /* A new event is played where its director is, until he says something else. */
  const zone = document.querySelector("form[data-chooser] select[name=zone]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && zone.value === "UTC" && [...zone.options].some((option) => option.value === here)) zone.value = here;
})();
