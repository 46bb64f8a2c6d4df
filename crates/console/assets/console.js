// What scripts add: pages that follow what happens, and answers that appear as they are written. All works without them.
"use strict";

const page = document.querySelector('meta[name="palanca-word"]');
const word = page?.content;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// A link of the terminal has its key behind a `#`, which no server sees.
const login = document.querySelector("form[data-login]");
if (login && location.hash.length > 1) {
  const key = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  login.elements.key.value = key;
  login.submit();
}

// This page as it is now.
async function fresh() {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
  if (answer.status === 401) location.reload();
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Whether somebody is writing here: what they look at stays where it is.
const busy = (node) => node.contains(document.activeElement) && document.activeElement !== document.body;
const typed = (node) => all("input:not([type=hidden]), textarea", node).some((field) => field.value);

function questions(here, there) {
  const now = new Map(all("[data-question]", there).map((card) => [card.dataset.question, card]));
  for (const card of all("[data-question]", here)) {
    const next = now.get(card.dataset.question);
    now.delete(card.dataset.question);
    if (next && next.dataset.state === card.dataset.state) continue;
    if (!busy(card) && !typed(card)) {
      if (next) card.replaceWith(next);
      else card.remove();
    } else {
      card.classList.add("gone");
      all("button", card).forEach((button) => (button.disabled = true));
    }
  }
  const empty = here.querySelector(".empty");
  const first = here.querySelector("[data-question]") ?? empty;
  for (const card of now.values()) here.insertBefore(card, first);
  if (empty) empty.hidden = Boolean(here.querySelector("[data-question]:not(.gone)"));
}

function timeline(here, there) {
  const open = new Set(all("details[open]", here).map((node) => all("details", here).indexOf(node)));
  const shut = all("details", here).length;
  if (busy(here) && typed(here)) return;
  here.replaceChildren(...there.childNodes);
  here.dataset.session = there.dataset.session;
  all("details", here).forEach((node, at) => { if (at < shut) node.open = open.has(at); });
}

let waiting = false;
async function follow() {
  if (waiting) return;
  waiting = true;
  // What comes together is shown together.
  await new Promise((done) => setTimeout(done, 150));
  waiting = false;
  const there = await fresh();
  document.title = there.title;
  for (const here of all("[data-live]")) {
    const next = there.querySelector(`[data-live="${here.dataset.live}"]`);
    if (!next) continue;
    if (here.dataset.live === "questions") questions(here, next);
    else if (here.dataset.live === "timeline") timeline(here, next);
    else if (!busy(here) && !typed(here)) here.replaceWith(next);
  }
}

if (word) {
  // From where this page was made: what happened since then is told, too.
  const news = new EventSource("/api/events?after=" + page.dataset.after);
  let shown = page.dataset.open;
  news.addEventListener("approvals", (event) => {
    const { open } = JSON.parse(event.data);
    const now = open.length + ":" + (open[0] ?? "");
    if (now !== shown) follow();
    shown = now;
  });
  news.addEventListener("session", (event) => {
    const { session, bot } = JSON.parse(event.data);
    const shown = document.querySelector('[data-live="timeline"]');
    const here = shown && (shown.dataset.session === session || shown.dataset.bot === bot);
    if (here || document.querySelector('[data-live="sessions"]')) follow();
  });
}

// A call that a person made is no session: nothing tells of its end.
if (document.querySelector("[data-running]")) {
  const asking = setInterval(() => {
    if (document.querySelector("[data-running]")) follow();
    else clearInterval(asking);
  }, 2000);
}

// Points in time, where the reader is.
function clocks() {
  for (const time of all("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (isNaN(at) || time.title) continue;
    time.title = time.dateTime;
    const today = at.toDateString() === new Date().toDateString();
    time.textContent = at.toLocaleString(document.documentElement.lang, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  }
}
clocks();
new MutationObserver(clocks).observe(document.body, { childList: true, subtree: true });

// The answer of a bot as it comes.
const say = document.querySelector("form[data-say]");
say?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = say.elements.text;
  const text = field.value.trim();
  if (!text) return;
  const talk = document.querySelector(".talk");
  const line = (kind, words) => {
    const item = document.createElement("li");
    item.className = `said ${kind}`;
    const body = document.createElement("div");
    body.className = "text";
    body.textContent = words;
    item.append(body);
    talk.append(item);
    item.scrollIntoView({ block: "nearest" });
    return body;
  };
  const answer = await fetch(say.dataset.say, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Palanca-Word": word },
    body: JSON.stringify({ text }),
  });
  if (!answer.ok) { line("model", (await answer.json()).detail); return; }
  field.value = "";
  line("person", text);
  let words = null;
  let rest = "";
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) {
      const [, kind, data] = /^event: (.*)\ndata: (.*)$/s.exec(frame) ?? [];
      const told = data && JSON.parse(data);
      if (kind === "text") {
        // The page may have been brought up to date meanwhile.
        if (!words?.isConnected) words = line("model", "");
        words.textContent += told.text;
      } else if (kind === "call" || kind === "voided") words = null;
      else if (kind === "ended" && told.error) line("model", told.error);
    }
  }
  follow();
});
say?.elements.text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); say.requestSubmit(); }
});
