// Text as bytes, and the parts of Buffer that are used for that.
const asBytes = (value) => {
  if (value instanceof Uint8Array) return value;
  if (isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return new Uint8Array(value);
};
define(globalThis, 'TextEncoder', class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(string = '') { return native.encode(text(string)); }
});
define(globalThis, 'TextDecoder', class TextDecoder {
  #fatal;
  #keepsMark;
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw new RangeError(`The "${label}" encoding is not supported`);
    this.#fatal = fatal;
    this.#keepsMark = ignoreBOM;
  }
  get encoding() { return 'utf-8'; }
  get fatal() { return this.#fatal; }
  decode(bytes = new Uint8Array()) {
    const string = native.decode(asBytes(bytes), this.#fatal);
    return !this.#keepsMark && string.startsWith('\ufeff') ? string.slice(1) : string;
  }
});
const fromLatin = (string) => Uint8Array.from(string, (character) => character.charCodeAt(0));
const toLatin = (bytes) => { let out = ''; for (const byte of bytes) out += String.fromCharCode(byte); return out; };
define(globalThis, 'btoa', function btoa(value) {
  const string = String(value);
  if (/[^\0-\xff]/.test(string)) throw new DOMException('Invalid character', 'InvalidCharacterError');
  return native.written(fromLatin(string), 'base64');
});
define(globalThis, 'atob', function atob(value) {
  const string = String(value).replace(/[\t\n\f\r ]/g, '');
  const bytes = /[-_]/.test(string) || string.replace(/={1,2}$/, '').length % 4 === 1 ? null : native.unbase64(string);
  if (bytes === null || bytes === undefined) throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  return toLatin(bytes);
});
const encodings = {
  utf8: [(string) => native.encode(wellFormed(string)), (bytes) => native.decode(bytes, false)],
  hex: [(string) => Uint8Array.from(string.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16)), (bytes) => native.written(bytes, 'hex')],
  base64: [(string) => native.unbase64(string.replace(/[^A-Za-z0-9+/_-]/g, '')) ?? new Uint8Array(), (bytes) => native.written(bytes, 'base64')],
  latin1: [fromLatin, toLatin],
  ascii: [fromLatin, (bytes) => toLatin(bytes.map((byte) => byte & 127))],
};
encodings['utf-8'] = encodings.utf8;
encodings.binary = encodings.latin1;
encodings.base64url = [encodings.base64[0], (bytes) => native.written(bytes, 'base64url')];
const encoding = (name = 'utf8') => {
  const found = encodings[String(name).toLowerCase()];
  if (found === undefined) throw new TypeError(`Unknown encoding: ${name}`);
  return found;
};
class Buffer extends Uint8Array {
  static from(value, form, length) {
    if (typeof value === 'string') return Buffer.#of(encoding(form)[0](value));
    if (value instanceof ArrayBuffer) return new Buffer(value, form, length);
    if (value?.type === 'Buffer' && Array.isArray(value.data)) return Buffer.#of(Uint8Array.from(value.data));
    return Buffer.#of(Uint8Array.from(value, (byte) => byte & 255));
  }
  static #of(bytes) { return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
  static alloc(length, fill, form) { const buffer = new Buffer(length); return fill === undefined ? buffer : buffer.fill(fill, form); }
  static allocUnsafe(length) { return new Buffer(length); }
  static isBuffer(value) { return value instanceof Buffer; }
  static isEncoding(name) { return encodings[String(name).toLowerCase()] !== undefined; }
  static byteLength(value, form) { return typeof value === 'string' ? encoding(form)[0](value).length : value.byteLength; }
  static concat(list, length = list.reduce((sum, part) => sum + part.length, 0)) {
    const whole = new Buffer(length);
    let at = 0;
    for (const part of list) {
      whole.set(part.subarray(0, Math.max(0, length - at)), at);
      at += part.length;
    }
    return whole;
  }
  static compare(a, b) { return a.compare(b); }
  toString(form, begin = 0, end = this.length) { return encoding(form)[1](new Uint8Array(this.buffer, this.byteOffset, this.length).slice(begin, end)); }
  toJSON() { return { type: 'Buffer', data: Array.from(this) }; }
  equals(other) { return this.length === other.length && this.every((byte, at) => byte === other[at]); }
  compare(other) {
    for (let at = 0; at < Math.min(this.length, other.length); at++) if (this[at] !== other[at]) return this[at] < other[at] ? -1 : 1;
    return Math.sign(this.length - other.length);
  }
  slice(begin, end) { return this.subarray(begin, end); }
  fill(value, form) { return typeof value === 'string' ? this.#repeat(encoding(form)[0](value)) : super.fill(value); }
  #repeat(bytes) { for (let at = 0; at < this.length && bytes.length > 0; at++) this[at] = bytes[at % bytes.length]; return this; }
  write(string, at = 0) { const bytes = encodings.utf8[0](string).subarray(0, this.length - at); this.set(bytes, at); return bytes.length; }
  readUInt8(at = 0) { return this[at]; }
  readUInt16BE(at = 0) { return this.#view.getUint16(at); }
  readUInt16LE(at = 0) { return this.#view.getUint16(at, true); }
  readUInt32BE(at = 0) { return this.#view.getUint32(at); }
  readUInt32LE(at = 0) { return this.#view.getUint32(at, true); }
  readInt32BE(at = 0) { return this.#view.getInt32(at); }
  readInt32LE(at = 0) { return this.#view.getInt32(at, true); }
  writeUInt8(value, at = 0) { this[at] = value; return at + 1; }
  writeUInt16BE(value, at = 0) { this.#view.setUint16(at, value); return at + 2; }
  writeUInt32BE(value, at = 0) { this.#view.setUint32(at, value); return at + 4; }
  writeUInt32LE(value, at = 0) { this.#view.setUint32(at, value, true); return at + 4; }
  get #view() { return new DataView(this.buffer, this.byteOffset, this.byteLength); }
  [inspectCustom]() {
    const more = this.length - 50;
    return `<Buffer${Array.from(this.subarray(0, 50), (byte) => ` ${byte.toString(16).padStart(2, '0')}`).join('')}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`;
  }
}
Object.defineProperty(Buffer, Symbol.species, { value: Buffer });
define(globalThis, 'Buffer', Buffer);
define(globalThis, 'crypto', {
  randomUUID() {
    const bytes = native.random(16);
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    return native.written(bytes, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
  getRandomValues(view) { asBytes(view).set(native.random(view.byteLength)); return view; },
});
const cloned = (value, seen) => {
  if (typeof value === 'function' || typeof value === 'symbol') throw new DOMException(`${text(value)} could not be cloned.`, 'DataCloneError');
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = (copy) => { seen.set(value, copy); return copy; };
  if (isDate(value)) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (isBuffer(value)) return keep(value.slice(0));
  if (isView(value)) return keep(new value.constructor(value));
  const boxed = boxedKind(value);
  if (boxed !== null) return keep(Object(boxed[1]));
  if (isMap(value)) { const copy = keep(new Map()); for (const [key, item] of value) copy.set(cloned(key, seen), cloned(item, seen)); return copy; }
  if (isSet(value)) { const copy = keep(new Set()); for (const item of value) copy.add(cloned(item, seen)); return copy; }
  if (isError(value)) { const copy = keep(new (globalThis[value.name] ?? Error)(value.message)); if (has(value, 'cause')) define(copy, 'cause', cloned(value.cause, seen)); return copy; }
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) copy[key] = cloned(value[key], seen);
  return copy;
};
define(globalThis, 'structuredClone', function structuredClone(value) { return cloned(value, new Map()); });
