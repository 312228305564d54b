/* Talk at a table. Without it every control is a form that works by itself. What is said comes by the
   table's socket and is put into the list by htmx, maybe twice or out of order; here it is put right,
   counted while the list cannot be seen, and read out. Names open a small card of the person. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const talk = byId("talk");
  const card = byId("person");
  const opener = document.querySelector('[popovertarget="rail"]:not([popovertargetaction])');
  if (!talk) return;

  /* --- the list -------------------------------------------------------------------------------- */

  const number = (item) => Number(item.id.slice("said-".length));
  const list = () => byId("said");
  const known = new Set([...list().children].map((item) => item.id));
  let unread = 0;

  /** What has come: each message once, the oldest first. */
  function tidy() {
    const items = [...list().children];
    const once = [...new Map(items.map((item) => [item.id, item])).values()];
    const news = once.filter((item) => !known.has(item.id));
    once.sort((one, other) => number(one) - number(other));
    if (items.length !== once.length || items.some((item, at) => item !== once[at])) list().replaceChildren(...once);
    watching.takeRecords();
    for (const item of news) known.add(item.id);
    if (news.length) toEnd();
    heed(news.filter((item) => !item.classList.contains("is-own")));
  }

  const watching = new MutationObserver(tidy);

  function toEnd() {
    const pane = list().parentElement;
    pane.scrollTop = pane.scrollHeight;
  }

  function watchList() {
    watching.disconnect();
    watching.observe(list(), { childList: true });
    toEnd();
  }

  /** Count what cannot be seen, and read out what has come. */
  function heed(items) {
    if (!items.length) return;
    if (!(list().checkVisibility?.() ?? true)) showUnread(unread + items.length);
    if (new FormData(document.querySelector("[data-prefs]")).getAll("talk").at(-1) === "off") return;
    const heard = byId("heard");
    for (const item of items) heard.append(Object.assign(document.createElement("p"), { textContent: item.textContent }));
    while (heard.children.length > 5) heard.firstChild.remove();
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
    toEnd();
  });

  /* --- when one may talk: it changes with the phases of a ranked game, with a seat, with the end ---- */

  const felt = byId("felt") && (() => byId("felt"));
  const shown = () => ({ phase: felt().dataset.phase, seated: felt().classList.contains("is-seated") ? "1" : "0" });
  let last = felt ? shown().phase : "";
  const standing = () => byId("standing")?.dataset.standing; // what staff have said to who reads
  let stood = standing();
  let draft = ""; // what was being typed when it was taken away
  let ending = 0;

  function follow() {
    const { phase, seated } = shown();
    const words = byId("phrases")?.querySelector("fieldset");
    if (words) words.disabled = "between" in talk.dataset && talk.dataset.dealing.split(" ").includes(phase);
    if (standing() !== stood || seated !== talk.dataset.seated || (phase !== last && (phase === "over" || phase === "closed"))) renew(seated);
    last = phase;
  }
  if (felt) {
    new MutationObserver(follow).observe(document.body, { subtree: true, attributeFilter: ["data-phase", "class", "data-standing"] });
    awaitEnd();
  }

  /** A mute for a time is over by itself. (A timer holds 24 days.) */
  function awaitEnd() {
    clearTimeout(ending);
    const left = Number(byId("standing")?.dataset.left);
    if (left < 2e6) ending = setTimeout(() => renew(talk.dataset.seated), (left + 1) * 1000);
  }

  const put = (text) =>
    htmx.swap({ sourceElement: document.body, target: document.body, swap: "none", text, transition: false });

  async function fetchTalk(what) {
    const query = new URLSearchParams({ code: talk.dataset.code, ...what });
    const answer = await fetch(`${talk.dataset.address}?${query}`, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    return answer.text();
  }

  /** All that is said, and what one may say now; what is being typed stays. */
  async function renew(seated) {
    talk.dataset.seated = seated;
    stood = standing();
    try {
      const fresh = new DOMParser().parseFromString(await fetchTalk({ panel: "" }), "text/html").getElementById("talk");
      draft = byId("say-text")?.value ?? draft;
      const focused = document.activeElement?.id;
      for (const { name, value } of fresh.attributes) talk.setAttribute(name, value);
      if (!fresh.hasAttribute("data-between")) talk.removeAttribute("data-between");
      for (const item of fresh.querySelectorAll("#said > li")) known.add(item.id);
      talk.replaceChildren(...fresh.childNodes);
      if (byId("say-text")) byId("say-text").value = draft;
      if (focused && document.activeElement === document.body) (byId(focused) ?? talk).focus();
      stood = standing();
      awaitEnd();
      watchList();
    } catch {
      /* no network: it stays as it is until the next change, or a reload */
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

  let opened = null; // the name that was tapped

  async function showCard(text, from = opened) {
    opened = from;
    card.innerHTML = text;
    if (!card.matches(":popover-open")) card.showPopover({ source: from });
    place(from);
    (card.querySelector("label + select") ?? card).focus();
  }

  /** The name may have been drawn anew meanwhile: the focus goes back to it all the same. */
  card?.addEventListener("toggle", ({ newState }) => {
    const focused = document.activeElement;
    if (newState !== "closed" || (focused !== document.body && !card.contains(focused))) return;
    const again = opened.isConnected ? opened : document.querySelector(`[data-person][href="${CSS.escape(opened.getAttribute("href"))}"]`);
    (again ?? talk).focus();
  });

  /** Beside what was tapped, and within the window. */
  function place(from) {
    if (!from.isConnected) return;
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
      await put(await fetchTalk({}));
    } catch {
      const words = byId("away").dataset.unsent;
      card.append(Object.assign(document.createElement("p"), { className: "err", textContent: words }));
    }
  });

  watchList();
  if (felt) follow();
})();
