// Addresses. They are read by the library that judges them outside.
const query = (pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
const encoded = (string) => encodeURIComponent(wellFormed(string)).replace(/[!'()~]|%20/g, (found) =>
  found === '%20' ? '+' : `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
const decoded = (string) => native.decode(Uint8Array.from(
  native.encode(wellFormed(string.replaceAll('+', ' '))).reduce((out, byte, at, bytes) => {
    const pair = byte === 37 ? String.fromCharCode(bytes[at + 1], bytes[at + 2]) : '';
    if (out.skip > 0) out.skip -= 1;
    else if (/^[0-9a-f]{2}$/i.test(pair)) { out.bytes.push(parseInt(pair, 16)); out.skip = 2; } else out.bytes.push(byte);
    return out;
  }, { bytes: [], skip: 0 }).bytes), false);
class URLSearchParams {
  #pairs = [];
  #changed = null;
  constructor(from = '') {
    if (typeof from === 'object' && from !== null) {
      const pairs = typeof from[Symbol.iterator] === 'function' ? from : Object.entries(from);
      for (const [name, value] of pairs) this.#pairs.push([text(name), text(value)]);
    } else this.#read(String(from));
  }
  static watched(search, changed) { const params = new URLSearchParams(search); params.#changed = changed; return params; }
  static reread(params, search) { params.#read(search); }
  #read(search) {
    this.#pairs = search.replace(/^\?/, '').split('&').filter((pair) => pair !== '').map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });
  }
  #tell() { this.#changed?.(this.toString()); }
  get size() { return this.#pairs.length; }
  append(name, value) { this.#pairs.push([text(name), text(value)]); this.#tell(); }
  delete(name, value) { this.#pairs = this.#pairs.filter(([of, has]) => of !== text(name) || (value !== undefined && has !== text(value))); this.#tell(); }
  get(name) { return this.#pairs.find(([of]) => of === text(name))?.[1] ?? null; }
  getAll(name) { return this.#pairs.filter(([of]) => of === text(name)).map(([, value]) => value); }
  has(name, value) { return this.#pairs.some(([of, has]) => of === text(name) && (value === undefined || has === text(value))); }
  set(name, value) {
    const first = this.#pairs.findIndex(([of]) => of === text(name));
    if (first < 0) this.#pairs.push([text(name), text(value)]);
    else this.#pairs = this.#pairs.filter(([of], at) => of !== text(name) || at === first).map((pair, at) => at === first ? [pair[0], text(value)] : pair);
    this.#tell();
  }
  sort() { this.#pairs.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0); this.#tell(); }
  forEach(callback, self) { for (const [name, value] of this.#pairs) callback.call(self, value, name, this); }
  *keys() { for (const [name] of this.#pairs) yield name; }
  *values() { for (const [, value] of this.#pairs) yield value; }
  *entries() { for (const pair of this.#pairs) yield [...pair]; }
  [Symbol.iterator]() { return this.entries(); }
  toString() { return query(this.#pairs); }
  [inspectCustom]() {
    return this.#pairs.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${this.#pairs.map(([name, value]) => `${quoted(name)} => ${quoted(value)}`).join(', ')} }`;
  }
}
const PARTS = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin'];
class URL {
  #parts;
  #params;
  constructor(url, base) {
    const parts = native.url(text(url), base === undefined ? null : text(base));
    if (!parts) { const wrong = new TypeError('Invalid URL'); wrong.code = 'ERR_INVALID_URL'; wrong.input = text(url); throw wrong; }
    this.#parts = parts;
    this.#params = URLSearchParams.watched(parts[8], (search) => { this.#change('search', search, false); });
  }
  static canParse(url, base) { return !!native.url(text(url), base === undefined ? null : text(base)); }
  static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
  #change(part, value, rereads = true) {
    const parts = part === 'href' ? native.url(value, null) : native.changedUrl(this.#parts[0], part, value);
    if (!parts) throw new TypeError('Invalid URL');
    this.#parts = parts;
    if (rereads) URLSearchParams.reread(this.#params, parts[8]);
  }
  static {
    for (const [at, name] of PARTS.entries()) {
      Object.defineProperty(URL.prototype, name, {
        get() { return this.#parts[at]; },
        set: name === 'origin' ? undefined : function (value) { this.#change(name, text(value)); },
        enumerable: true, configurable: true,
      });
    }
  }
  get searchParams() { return this.#params; }
  toString() { return this.#parts[0]; }
  toJSON() { return this.#parts[0]; }
}
define(globalThis, 'URL', URL);
define(globalThis, 'URLSearchParams', URLSearchParams);
