/* Talk at a table. Without it every control is a form that works by itself. What is said comes by the
   table's socket and is put into the list by htmx, maybe twice or out of order; here it is put right,
   counted while the list cannot be seen, and read out. Names open a small card of the person. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const talk = byId("talk");
  const list = byId("said");
  const card = byId("person");
  const opener = document.querySelector('[popovertarget="rail"]:not([popovertargetaction])');
  if (!talk) return;

  /* --- the list -------------------------------------------------------------------------------- */

  const number = (item) => Number(item.id.slice("said-".length));
  const known = new Set([...list.children].map((item) => item.id));
  let unread = 0;

  /** What has come: each message once, the oldest first. */
  function tidy() {
    const items = [...list.children];
    const news = items.filter((item) => !known.has(item.id));
    const once = new Map(items.map((item) => [item.id, item]));
    const sorted = [...once.values()].sort((one, other) => number(one) - number(other));
    if (items.length !== sorted.length || items.some((item, at) => item !== sorted[at])) list.replaceChildren(...sorted);
    for (const item of news) known.add(item.id);
    watching.takeRecords();
    const others = news.filter((item, at) => !item.classList.contains("is-own") && news.findIndex((one) => one.id === item.id) === at);
    if (news.length) list.scrollTop = list.scrollHeight;
    if (others.length) heed(others);
  }

  const watching = new MutationObserver(tidy);
  watching.observe(list, { childList: true });
  list.scrollTop = list.scrollHeight;

  function heed(items) {
    if (!(list.checkVisibility?.() ?? true)) showUnread(unread + items.length);
    if (byId("aloud")?.checked ?? true) {
      for (const item of items) {
        byId("heard").append(Object.assign(document.createElement("p"), { textContent: item.innerText || item.textContent }));
      }
      while (byId("heard").children.length > 5) byId("heard").firstChild.remove();
    }
  }

  function showUnread(count) {
    unread = count;
    if (!opener) return;
    const words = count ? opener.dataset.unread.replace("%(count)s", count) : "";
    opener.dataset.count = count || "";
    opener.setAttribute("aria-label", [opener.dataset.label, words].filter(Boolean).join(", "));
  }
  byId("rail")?.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    showUnread(0);
    list.scrollTop = list.scrollHeight;
  });

  /* --- when one may talk: a ranked game's phases; what the watchers said, once it is over ---------- */

  const felt = () => byId("felt");
  const phase = () => felt()?.dataset.phase ?? "";
  const dealing = talk.dataset.dealing.split(" ");
  let last = phase();

  function followPhase() {
    const now = phase();
    if (now === last) return;
    const ended = now === "over" || now === "closed";
    last = now;
    const words = byId("phrases")?.querySelector("fieldset");
    if (words) words.disabled = "between" in talk.dataset && dealing.includes(now);
    if (ended) fetchAll();
  }
  if (felt()) new MutationObserver(followPhase).observe(document.body, { subtree: true, attributeFilter: ["data-phase"] });

  const put = (text) =>
    htmx.swap({ sourceElement: document.body, target: document.body, swap: "none", text, transition: false });

  async function fetchAll() {
    const code = talk.dataset.code && `?code=${encodeURIComponent(talk.dataset.code)}`;
    try {
      const answer = await fetch(talk.dataset.address + code, { headers: { "HX-Request": "true" } });
      if (answer.ok) await put(await answer.text());
    } catch {
      /* no network: the next message brings what is missing, or a reload */
    }
  }

  /* --- saying ---------------------------------------------------------------------------------------- */

  const trouble = (text) => {
    byId("say-error").textContent = text;
    byId("say-text")?.toggleAttribute("aria-invalid", Boolean(text));
  };

  async function say(form, button) {
    const fields = new URLSearchParams(new FormData(form));
    if (button?.name) fields.set(button.name, button.value);
    trouble("");
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (answer.ok && !answer.redirected) {
        if (form.elements.text) form.elements.text.value = "";
        await put(text);
      } else if (answer.status === 409 || (answer.status === 403 && !text.startsWith("<"))) {
        trouble(text);
      } else {
        throw new Error(answer.statusText);
      }
    } catch {
      trouble(byId("say-error").dataset.unsent);
    } finally {
      form.removeAttribute("aria-busy");
    }
  }

  talk.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-say]") || form.hasAttribute("aria-busy")) {
      if (form.hasAttribute("aria-busy")) event.preventDefault();
      return;
    }
    event.preventDefault();
    say(form, event.submitter);
  });

  /* --- the card of a person ------------------------------------------------------------------------------ */

  async function showCard(text, from) {
    card.innerHTML = text;
    if (!card.matches(":popover-open")) card.showPopover();
    if (from) place(from);
    (card.querySelector("[role=status], [role=alert], label + select") ?? card).focus?.();
  }

  /** Beside what was tapped, and within the window. */
  function place(from) {
    const near = from.getBoundingClientRect();
    const left = Math.min(Math.max(8, near.left), innerWidth - card.offsetWidth - 8);
    const below = near.bottom + 4;
    const top = below + card.offsetHeight > innerHeight - 8 ? Math.max(8, near.top - card.offsetHeight - 4) : below;
    card.style.left = `${left}px`;
    card.style.top = `${top}px`;
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("[data-person]");
    if (!link || !card?.showPopover || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
      if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
      card.setAttribute("aria-label", link.textContent.trim());
      showCard(await answer.text(), link);
    } catch {
      location.assign(link.href);
    }
  });

  card?.addEventListener("submit", async (event) => {
    const form = event.target;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    fields.set(event.submitter.name, event.submitter.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
      if (answer.redirected || (!answer.ok && answer.status !== 409)) throw new Error(answer.statusText);
      showCard(await answer.text());
      fetchAll();
    } catch {
      card.append(Object.assign(document.createElement("p"), { className: "err", textContent: byId("rail").dataset.unsent ?? "" }));
    }
  });

  /* --- read aloud: kept on this device --------------------------------------------------------------------- */

  const aloud = byId("aloud");
  if (aloud) {
    try {
      aloud.checked = localStorage.getItem("table-aloud") !== "off";
    } catch {
      /* private windows may refuse */
    }
    aloud.addEventListener("change", () => {
      try {
        localStorage.setItem("table-aloud", aloud.checked ? "on" : "off");
      } catch {
        /* then it lasts as long as the page */
      }
    });
    for (const part of document.querySelectorAll("[data-talk-local]")) part.hidden = false;
  }
})();
