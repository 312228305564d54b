/* Small helpers; every page works without them, passkeys excepted. The look of the page (theme,
   felt, deck) needs no script: the server writes it on <html> from a cookie. */

/* Preferences: show a choice at once. Saving stays the form's business. */
document.addEventListener("change", (event) => {
  const control = event.target;
  if (!control.name || !control.closest("[data-looks], [data-prefs]")) return;
  document.documentElement.dataset[control.name] = new FormData(control.form).getAll(control.name).at(-1);
});

/* A form that was sent once is not sent twice by a double click. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-once]")) return;
  if (form.dataset.sent) event.preventDefault();
  else form.dataset.sent = "true";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});

/* What was refused is brought into sight, where the page is longer than the window. */
document.addEventListener("DOMContentLoaded", () => {
  const refused = document.querySelector("form [role=alert]:is(.err, .note--bad)");
  if (!refused || location.hash) return;
  const { top, bottom } = refused.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) refused.scrollIntoView({ block: "center" });
});

/* What asks for a passkey can be pressed once allauth's scripts serve it: they come before this, and
   begin at the same event. */
document.addEventListener("DOMContentLoaded", () => {
  if (!window.allauth?.webauthn) return;
  for (const button of document.querySelectorAll("[data-passkey]")) button.disabled = false;
});

/* What was chosen before the script that answers to it was there is told to it now. (htmx begins in a
   timer of its own, which is due before this one.) */
document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
  for (const control of document.querySelectorAll("form[data-early] :is(input:not([type=hidden]), select)")) {
    if (isChanged(control)) control.dispatchEvent(new Event("change", { bubbles: true }));
  }
}));

function isChanged(control) {
  if (control.type === "radio") return control.checked && !control.defaultChecked;
  if (control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options) return !(control.selectedOptions[0]?.defaultSelected ?? true);
  return control.value !== control.defaultValue;
}

/* A passkey that the browser or its owner refused: say so beside the button. */
document.addEventListener("allauth.error", (event) => {
  const trouble = document.querySelector("[data-passkey-trouble]");
  if (!trouble) return;
  event.preventDefault();
  trouble.hidden = false;
});
