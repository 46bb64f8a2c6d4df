// What the world is built on, taken before a script can bend it.
const { JSON, Map, Set, WeakMap, Promise, Error, TypeError, RangeError, Symbol, Object, Array, String, Number, Math, Date,
  RegExp, Reflect, Uint8Array, ArrayBuffer, DataView, BigInt, Function } = globalThis;
const free = (method) => Function.prototype.call.bind(method);
const stringify = JSON.stringify;
const parse = JSON.parse;
const wellFormed = free(String.prototype.toWellFormed);
const has = free(Object.prototype.hasOwnProperty);
const tagOf = free(Object.prototype.toString);
const then = free(Promise.prototype.then);
const isView = ArrayBuffer.isView;
const text = (value) => wellFormed(typeof value === 'symbol' ? value.toString() : String(value));
const define = (target, name, value) =>
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
