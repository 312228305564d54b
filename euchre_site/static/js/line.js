/* An event's page whose socket the site has closed for good (tournaments/consumers.py) says why, as it
   was told, and tries no more. */
document.addEventListener("htmx:ws:close", ({ detail: { connection, code } }) => {
  if (code === 4404) connection.config.reconnect = false;
});

// The extension may have been registered after htmx looked the page over: on a slow line it comes later.
htmx.process(document.body);
