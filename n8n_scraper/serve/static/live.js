// Renews the live parts of a page as the server sends them; without it the page stays as it was.
(() => {
  const address = document.body.dataset.live;
  if (!address || !window.EventSource) return;
  const beat = document.querySelector(".beat");
  const reader = new DOMParser();
  let stream = null;
  const show = (event) => {
    for (const [name, html] of Object.entries(JSON.parse(event.data))) {
      const place = document.getElementById(name);
      // What a person is at is left alone until the next change.
      if (!place || place.contains(document.activeElement)) continue;
      const made = reader.parseFromString(html, "text/html");
      place.replaceChildren(...made.body.childNodes);
    }
  };
  const watch = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(address);
    stream.onmessage = show;
    stream.onopen = () => { beat.hidden = false; };
    stream.onerror = () => { beat.hidden = true; };
  };
  const rest = () => {
    if (stream) stream.close();
    stream = null;
    beat.hidden = true;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : watch()));
  addEventListener("pagehide", rest);
  watch();
})();
