/* This browser's part in the shuffle: a random number (nonce) for each game, added once the site
   has committed itself. It is remembered here with the commitment that it answered, so that the
   check of a deal can tell whether both were used, one with the other. Without this file, or in a
   browser that keeps nothing, the site adds a number of its own. */
(() => {
  "use strict";

  const KEPT = 200;
  const felt = () => document.getElementById("felt");

  function kept() {
    try {
      return JSON.parse(localStorage.getItem("nonces")) || [];
    } catch {
      return []; // private windows may refuse
    }
  }

  function fresh(commitment) {
    const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      localStorage.setItem("nonces", JSON.stringify([...kept(), [nonce, commitment]].slice(-KEPT)));
    } catch {
      /* then it cannot be compared later, and counts all the same */
    }
    added.add(commitment);
    return nonce;
  }

  const added = new Set(kept().map(([, commitment]) => commitment).filter(Boolean));

  /* A form that takes a seat carries a number along: the game may begin before the next message. */
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      const action = event.submitter?.value || new FormData(form).get("action") || "";
      if (!form.matches("[data-nonce]") && !/^sit(:|$)/.test(action)) return;
      const field = form.querySelector('input[name="nonce"]') || document.createElement("input");
      Object.assign(field, { type: "hidden", name: "nonce", value: fresh(felt()?.dataset.commitment || "") });
      form.append(field);
    },
    true,
  );

  /* At the table: one for each commitment that comes before a game. */
  const csrf = document.body.dataset.csrf;
  if (felt() && csrf) {
    const look = () => {
      const { commitment, nonce } = felt().dataset;
      if (!commitment || nonce !== "wanted" || added.has(commitment)) return;
      const body = new URLSearchParams({ action: "nonce", nonce: fresh(commitment) });
      fetch(`${location.pathname}act/`, { method: "POST", body, headers: { "HX-Request": "true", "X-CSRFToken": csrf } })
        .catch(() => added.delete(commitment)); // another one at the next frame
    };
    new MutationObserver(() => {
      look();
      for (const text of document.querySelectorAll("[data-commitment-text]")) text.textContent = felt().dataset.commitment;
    }).observe(felt(), { attributeFilter: ["data-commitment", "data-nonce"] });
    look();
  }

  /* At the check of a deal: what of it came from here, and to which commitment it was added. Only
     this browser can know: whoever makes up a commitment later can put any number beside it. */
  const known = kept();
  const say = (mark, key, more = "") => {
    if (!mark.dataset[key]) return;
    mark.textContent = mark.dataset[key] + more;
    mark.className = { yes: "mine-mark", other: "lost" }[key] || "muted";
  };
  const own = new Map(known);
  for (const mark of document.querySelectorAll("[data-own-nonce]")) {
    const { ownNonce, commitment } = mark.dataset;
    if (own.has(ownNonce)) say(mark, own.get(ownNonce) === commitment ? "yes" : own.get(ownNonce) ? "other" : "blind");
    else if (known.some(([, answered]) => answered === commitment)) say(mark, "late");
    else if (known.length) say(mark, "no");
  }
  for (const mark of document.querySelectorAll("[data-own-commitment]")) {
    const { ownCommitment, nonces } = mark.dataset;
    const answered = nonces.split(" ").map((nonce) => own.get(nonce)).filter(Boolean);
    const other = answered.find((commitment) => commitment !== ownCommitment);
    if (other) say(mark, "other", ` ${other}`);
    else if (known.some(([, commitment]) => commitment === ownCommitment)) say(mark, "yes");
    else if (known.length) say(mark, "no");
  }
})();
