/* Small helpers; every page works without them. The look of the page (theme, felt, deck) needs
   no script: the server writes it on <html> from a cookie. */

/* Preferences: show a choice at once. Saving stays the form's business. */
document.addEventListener("change", (event) => {
  const input = event.target;
  if (!input.closest("[data-looks]") || !["theme", "felt", "deck"].includes(input.name)) return;
  const isDefault = ["auto", "spruce", "two"].includes(input.value);
  if (isDefault) delete document.documentElement.dataset[input.name];
  else document.documentElement.dataset[input.name] = input.value;
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

/* A passkey that the browser or its owner refused: say so beside the button. */
document.addEventListener("allauth.error", (event) => {
  const trouble = document.querySelector("[data-passkey-trouble]");
  if (!trouble) return;
  event.preventDefault();
  trouble.hidden = false;
});
