/* Your turn, wherever you look: the title, a dot on the icon, a sound, a notice from the browser, and
   word of the last five seconds. The clocks are the style sheet's; here they are set by the server's
   time, which each frame tells (data-made, milliseconds), so that a tab that slept shows no stale one. */
(() => {
  "use strict";

  const TICK = 250; // milliseconds

  const byId = (id) => document.getElementById(id);
  const felt = () => byId("felt");
  const form = document.querySelector("[data-prefs]");
  const icon = byId("favicon");
  const calm = icon.getAttribute("href");
  const title = document.title;

  let ahead = Infinity; // by how much this clock is ahead of the server's, frames' journeys included
  let mine = false;
  let warned = ""; // the version whose last seconds were told
  let soon = 0;
  let late = 0;
  let notice = null;
  let audio = null;

  const chosen = (name) => new FormData(form).getAll(name).at(-1);
  const outOfSight = () => document.hidden || !document.hasFocus();
  const made = () => Number(felt().dataset.made);
  const since = () => Math.max(0, Date.now() - made() - ahead);
  const left = () => {
    const whole = parseFloat(felt().style.getPropertyValue("--left"));
    return Number.isNaN(whole) ? Infinity : Math.max(0, whole - since() / 1000);
  };

  /** Countdowns stand where the server's do; they end at nought. They are moved on from here, a few times
      a second: left to run they would have the page drawn anew sixty times, which warms a phone. */
  function setClocks() {
    for (const clock of document.querySelectorAll(".clock__left, .count, .hurry")) {
      for (const animation of clock.getAnimations()) {
        animation.pause();
        animation.currentTime = since();
      }
    }
  }
  setInterval(() => document.hidden || setClocks(), TICK);

  function setAlarms() {
    clearTimeout(soon);
    clearTimeout(late);
    const { turn, version, soon: words } = felt().dataset;
    if (turn !== "mine" || left() === Infinity) return;
    if (warned !== version && left() > 5) soon = setTimeout(() => {
      warned = version;
      document.dispatchEvent(new CustomEvent("table:say", { detail: words }));
    }, (left() - 5) * 1000);
    if (left() > 1.5) late = setTimeout(() => {
      if (left() > 0.3) document.dispatchEvent(new CustomEvent("table:late")); // else the page slept
    }, (left() - 1.5) * 1000);
  }

  function show() {
    ahead = Math.min(ahead, Date.now() - made());
    const was = mine;
    mine = felt().dataset.turn === "mine";
    document.title = mine ? `${felt().dataset.title} · ${title}` : title;
    if (icon.dataset.turn) icon.href = mine ? icon.dataset.turn : calm;
    setClocks();
    setAlarms();
    if (mine && !was) call();
    if (!mine) notice?.close();
  }

  /* --- sound and notice ---------------------------------------------------------------------- */

  function call() {
    const sound = chosen("sound");
    if (sound === "on" || (sound === "hidden" && outOfSight())) chime();
    if (chosen("notify") === "on" && outOfSight()) tell();
  }

  /** Two soft notes, a third of a second. A browser allows them once somebody has touched the page. */
  function chime() {
    if (audio?.state !== "running") return;
    for (const [pitch, delay] of [[587.3, 0], [880, 0.11]]) {
      const at = audio.currentTime + delay;
      const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch });
      const loudness = new GainNode(audio, { gain: 0 });
      loudness.gain.linearRampToValueAtTime(0.07, at + 0.015);
      loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.22);
      tone.connect(loudness).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.24);
    }
  }

  async function allowSound() {
    if (chosen("sound") === "off" || audio?.state === "running" || !window.AudioContext) return;
    audio ??= new AudioContext();
    await audio.resume().catch(() => {});
  }
  addEventListener("pointerdown", allowSound, { passive: true });
  addEventListener("keydown", allowSound);

  function tell() {
    if (window.Notification?.permission !== "granted") return;
    try {
      const asked = byId("ask-h") ?? byId("hint");
      notice = new Notification(felt().dataset.title, { body: asked?.textContent ?? "", tag: location.pathname, icon: icon.href });
      notice.onclick = () => {
        window.focus();
        notice.close();
      };
    } catch {
      /* some phones show none from a page */
    }
  }

  /** Permission is asked for by the switch alone; a refusal switches back. */
  form.addEventListener("change", async ({ target }) => {
    if (target.name === "sound") {
      await allowSound();
      chime();
    }
    if (target.name !== "notify" || !target.checked) return;
    if ((await window.Notification?.requestPermission()) === "granted") return;
    target.checked = false;
    target.dispatchEvent(new Event("change", { bubbles: true }));
    byId("notice").replaceChildren(Object.assign(document.createElement("p"), { textContent: form.dataset.refused }));
  });

  /* --- who comes back sees the time as it is --------------------------------------------------- */

  function correct() {
    if (document.hidden) return;
    setClocks();
    setAlarms();
    notice?.close();
  }
  document.addEventListener("visibilitychange", correct);
  addEventListener("focus", correct);
  addEventListener("pageshow", correct);

  /** The server's time has been asked for: `detail` is when the answer was made. */
  document.addEventListener("table:time", ({ detail }) => {
    ahead = Date.now() - detail;
    correct();
  });
  document.addEventListener("table:frame", show);
  show();
})();
