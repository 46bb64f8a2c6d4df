// Timers, which the loop of the process fires.
const timers = new Map();
let lastTimer = 0;
class Timeout {
  #id;
  constructor(id) { this.#id = id; }
  ref() { return this; }
  unref() { const timer = timers.get(this.#id); if (timer !== undefined) timer.idle = true; return this; }
  hasRef() { return !(timers.get(this.#id)?.idle ?? true); }
  refresh() { const timer = timers.get(this.#id); if (timer !== undefined) timer.due = native.elapsed() + timer.every; return this; }
  close() { timers.delete(this.#id); return this; }
  [Symbol.toPrimitive]() { return this.#id; }
}
const later = (callback, time, values, repeats) => {
  if (typeof callback !== 'function') throw new TypeError(`The "callback" argument must be of type function. Received ${inspect(callback)}`);
  const wait = Number(time);
  const every = wait >= 1 && wait <= 2147483647 ? Math.trunc(wait) : 1;
  const id = ++lastTimer;
  timers.set(id, { callback, values, every, repeats, due: native.elapsed() + every, idle: false });
  return new Timeout(id);
};
const forget = (timer) => { if (timer !== undefined && timer !== null) timers.delete(Number(timer)); };
define(globalThis, 'setTimeout', function setTimeout(callback, time, ...values) { return later(callback, time, values, false); });
define(globalThis, 'setInterval', function setInterval(callback, time, ...values) { return later(callback, time, values, true); });
define(globalThis, 'setImmediate', function setImmediate(callback, ...values) { return later(callback, 0, values, false); });
for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) define(globalThis, name, forget);

const guarded = (callback, values) => {
  try { callback(...values); } catch (error) { native.fail(describe(error)); }
};
define(globalThis, 'queueMicrotask', function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function.');
  then(Promise.resolve(), () => guarded(callback, []));
});
// Milliseconds until the next one is due; -1 if nothing waits for one.
const nextTimer = () => {
  let due = -1;
  for (const timer of timers.values()) {
    if (!timer.idle && (due < 0 || timer.due < due)) due = timer.due;
  }
  return due < 0 ? -1 : Math.max(0, due - native.elapsed());
};
// One at a time, so that what it promised comes before the next.
const fire = () => {
  const now = native.elapsed();
  let first = null;
  for (const [id, timer] of timers) {
    if (timer.due <= now && (first === null || timer.due < timers.get(first).due)) first = id;
  }
  if (first === null) return;
  const timer = timers.get(first);
  if (timer.repeats) timer.due = now + timer.every;
  else timers.delete(first);
  guarded(timer.callback, timer.values);
};
