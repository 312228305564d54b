/* This browser's part in the shuffle: a random number (nonce) for each game, added once the site
   has committed itself. It is remembered here, so that the check of a deal can tell whether it was
   used. Without this file, or in a browser that keeps nothing, the site adds a number of its own. */
(() => {
  "use strict";

  const KEPT = 60;
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

  /* At the check of a deal: which of the numbers came from here. */
  const own = kept().map(([nonce]) => nonce);
  for (const mark of document.querySelectorAll("[data-own-nonce]")) {
    const mine = own.includes(mark.dataset.ownNonce);
    mark.textContent = mine ? mark.dataset.yes : "no" in mark.dataset && own.length ? mark.dataset.no : "";
  }
})();
