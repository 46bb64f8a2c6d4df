// All that a script can do in the world: ask for it.
const asked = new Map();
let lastAsked = 0;
const ask = (send) => new Promise((resolve, reject) => {
  const id = ++lastAsked;
  asked.set(id, { resolve, reject });
  try { send(id); } catch (error) { asked.delete(id); reject(error); }
});
const deliver = (id, refused, value) => {
  const waiting = asked.get(id);
  asked.delete(id);
  if (waiting === undefined) return;
  if (refused === null) waiting.resolve(value);
  else waiting.reject(new Error(refused));
};
class Headers {
  #pairs = [];
  constructor(from = {}) {
    const pairs = from instanceof Headers ? from.#pairs : typeof from?.[Symbol.iterator] === 'function' ? from : Object.entries(from ?? {});
    for (const [name, value] of pairs) this.append(name, value);
  }
  append(name, value) { this.#pairs.push([text(name).toLowerCase(), text(value).trim()]); }
  set(name, value) { this.delete(name); this.append(name, value); }
  delete(name) { this.#pairs = this.#pairs.filter(([of]) => of !== text(name).toLowerCase()); }
  get(name) { const values = this.#pairs.filter(([of]) => of === text(name).toLowerCase()); return values.length === 0 ? null : values.map(([, value]) => value).join(', '); }
  has(name) { return this.get(name) !== null; }
  forEach(callback, self) { for (const [name, value] of this) callback.call(self, value, name, this); }
  *entries() { for (const name of [...new Set(this.#pairs.map(([of]) => of))].sort()) yield [name, this.get(name)]; }
  *keys() { for (const [name] of this) yield name; }
  *values() { for (const [, value] of this) yield value; }
  [Symbol.iterator]() { return this.entries(); }
  [inspectCustom](depth, options, show) { return `Headers ${show(Object.fromEntries(this))}`; }
}
class Response {
  #bytes;
  #used = false;
  constructor(body = '', { status = 200, statusText = '', headers = {}, url = '' } = {}) {
    this.#bytes = typeof body === 'string' ? native.encode(wellFormed(body)) : body === null ? new Uint8Array() : asBytes(body);
    Object.assign(this, { status, statusText, ok: status >= 200 && status < 300, url, redirected: false, type: 'basic', headers: new Headers(headers) });
  }
  get bodyUsed() { return this.#used; }
  #take() {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    this.#used = true;
    return this.#bytes;
  }
  clone() { return new Response(this.#bytes.slice(), this); }
  async bytes() { return this.#take(); }
  async arrayBuffer() { return this.#take().slice().buffer; }
  async text() { return native.decode(this.#take(), false); }
  async json() { return parse(await this.text()); }
}
let endSignal;
class AbortSignal {
  #heard = [];
  aborted = false;
  reason = undefined;
  onabort = null;
  addEventListener(name, callback) { if (name === 'abort') this.#heard.push(callback); }
  removeEventListener(name, callback) { this.#heard = this.#heard.filter((heard) => heard !== callback); }
  throwIfAborted() { if (this.aborted) throw this.reason; }
  static {
    endSignal = (signal, reason = new DOMException('This operation was aborted', 'AbortError')) => {
      if (signal.aborted) return;
      Object.assign(signal, { aborted: true, reason });
      const event = { type: 'abort', target: signal };
      signal.onabort?.(event);
      for (const heard of signal.#heard) heard.call(signal, event);
    };
  }
  static abort(reason) { const signal = new AbortSignal(); endSignal(signal, reason); return signal; }
  static timeout(time) {
    const signal = new AbortSignal();
    later(() => endSignal(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), time, [], false).unref();
    return signal;
  }
  static any(signals) {
    const signal = new AbortSignal();
    for (const one of signals) {
      if (one.aborted) endSignal(signal, one.reason);
      else one.addEventListener('abort', () => endSignal(signal, one.reason));
    }
    return signal;
  }
}
define(globalThis, 'AbortController', class AbortController {
  signal = new AbortSignal();
  abort(reason) { endSignal(this.signal, reason); }
});
const sent = (body) => {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return wellFormed(body);
  if (body instanceof URLSearchParams) return body.toString();
  if (isView(body) || isBuffer(body)) return native.decode(asBytes(body), true);
  return text(body);
};
define(globalThis, 'fetch', async function fetch(target, options = {}) {
  const url = text(target?.url ?? target);
  const headers = new Headers(options.headers);
  if (options.body instanceof URLSearchParams && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  const { signal } = options;
  signal?.throwIfAborted();
  const flat = [];
  for (const [name, value] of headers) flat.push(name, value);
  const answer = ask((id) => native.fetch(id, url, text(options.method ?? 'GET').toUpperCase(), flat, sent(options.body)));
  const ended = new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const { status, headers: received, body, url: from } = await Promise.race([answer, ended]);
  return new Response(body, { status, headers: received, url: from });
});
define(globalThis, 'Headers', Headers);
define(globalThis, 'Response', Response);
define(globalThis, 'AbortSignal', AbortSignal);
const read = (path) => ask((id) => native.read(id, text(path)));
define(globalThis, 'palanca', Object.freeze({
  read,
  call: (tool, values = {}) => ask((id) => native.call(id, text(tool), stringify(values) ?? '{}')),
}));
