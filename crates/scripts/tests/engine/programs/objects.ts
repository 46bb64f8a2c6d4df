//// literals
console.log({}, { a: 1 }, { 'b-c': 2, 3: 'x', d: { e: { f: { g: 1 } } } }, { ['k' + 1]: true });
//// shorthand
const a = 1, b = 'x'; console.log({ a, b, f() { return 1; }, g: () => 2, async h() {}, *i() {} });
//// spread
console.log({ ...{ a: 1, b: 2 }, b: 3, ...null, ...[7] });
//// destructuring
const { x, y: { z = 5 } = {}, ...rest } = { x: 1, y: { z: undefined }, p: 2, q: 3 } as any; console.log(x, z, rest);
//// entries
console.log(Object.entries({ a: 1, b: [2] }), Object.fromEntries([['a', 1], ['b', 2]]), Object.keys({ z: 1, 2: 1, 1: 1 }), Object.values('ab'));
//// getters
const o = { _v: 1, get v() { return this._v; }, set v(n) { this._v = n; }, get only() { return 1; }, set just(n: any) {} }; o.v = 5; console.log(o.v, o);
//// freeze
const f = Object.freeze({ a: 1 }); try { (f as any).a = 2; } catch (e: any) { console.log(e.name); } console.log(f, Object.isFrozen(f));
//// delete in
const d: any = { a: 1, b: 2 }; delete d.a; console.log(d, 'a' in d, 'b' in d, d.hasOwnProperty('b'), Object.hasOwn(d, 'a'));
//// defineProperty
const h = Object.defineProperty({ seen: 1 }, 'hidden', { value: 2, enumerable: false }); console.log(h, Object.keys(h), (h as any).hidden);
//// assign
console.log(Object.assign({}, { a: 1 }, null, { b: 2 }), structuredClone({ d: new Date(0), m: new Map([[1, { a: 1 }]]) }));
//// prototype
const base = { hello() { return 'hi ' + (this as any).name; } }; const child = Object.create(base, { name: { value: 'x', enumerable: true } }); console.log(child.hello(), child, Object.getPrototypeOf(child) === base);
//// null prototype
console.log(Object.create(null), Object.assign(Object.create(null), { a: 1 }));
//// circular
const c: any = { name: 'c' }; c.self = c; c.list = [c, { c }]; console.log(c);
//// symbols as keys
console.log({ [Symbol('s')]: 1, [Symbol.toStringTag]: 'Tagged' });
//// order
console.log({ b: 1, a: 2, 10: 3, 2: 4 });
//// long
console.log({ identifier: 12345, description: 'a rather long description of this thing', enabled: true, tags: ['one', 'two'] });
//// nested long
console.log({ user: { name: 'Ana', address: { street: 'Long Street 42', city: 'Springfield', geo: { lat: 1.5, lng: 2.5 } } }, ok: true });
//// multi-line strings
console.log({ text: 'first line\nsecond line\nthird line that is longer than the others' });
//// functions inside
console.log({ f: function () {}, g: function named() {}, h: class {}, i: class Named {}, j: Math.max, k: async () => {}, l: function* () {} });
//// toString
class P { constructor(public x: number) {} toString() { return `P(${this.x})`; } } console.log(`${new P(1)}`, String(new P(2)), new P(3));
//// valueOf
const v = { valueOf: () => 42 }; console.log(+v, (v as any) + 1, (v as any) > 41);
//// toPrimitive
const t = { [Symbol.toPrimitive]: (hint: string) => hint === 'number' ? 7 : hint }; console.log(+t, `${t}`, (t as any) + '');
//// toJSON
console.log(JSON.stringify({ a: { toJSON: () => 'custom' }, d: new Date(0), u: undefined, f() {}, n: NaN, m: new Map(), s: Symbol() }));
//// computed
const key = 'dyn'; console.log({ [`${key}_1`]: 1, [key]: { [key]: 2 } });
//// optional
const deep: any = { a: { b: null } }; console.log(deep?.a?.b?.c, deep.x?.y.z.w, deep.a.b ?? 'default');
//// merge
const merge = (p: any, q: any): any => { const out = { ...p }; for (const [k, w] of Object.entries(q)) out[k] = w && typeof w === 'object' && !Array.isArray(w) ? merge(p[k] ?? {}, w) : w; return out; }; console.log(merge({ a: { b: 1, c: 2 }, d: 1 }, { a: { c: 3 }, e: [1] }));
//// pick omit
const pick = (p: any, ks: string[]) => Object.fromEntries(ks.filter((k) => k in p).map((k) => [k, p[k]])); console.log(pick({ a: 1, b: 2, c: 3 }, ['a', 'c', 'z']));
//// invert
console.log(Object.fromEntries(Object.entries({ a: 'x', b: 'y' }).map(([k, w]) => [w, k])));
//// for in inherited
const r: string[] = []; for (const k in Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } })) r.push(k); console.log(r);
//// proxy
const px = new Proxy({} as any, { get: (_, k) => `got ${String(k)}`, has: () => true }); console.log(px.anything, 'q' in px);
//// reflect
console.log(Reflect.ownKeys({ b: 1, [Symbol('q')]: 2 }), Reflect.has({ a: 1 }, 'a'), Reflect.get({ a: 5 }, 'a'));
//// instanceof
class A {} class B extends A {} console.log(new B() instanceof A, new A() instanceof B, Object(1) instanceof Number);
//// boxed
console.log(new Number(1), new String('abc'), new Boolean(false), Object(Symbol('s')), Object(1n));
//// arguments
(function (..._: any[]) { console.log(arguments, arguments.length); })(1, 'a', { b: 2 });
//// many keys
console.log(Object.fromEntries(Array.from({ length: 30 }, (_, i) => ['key' + i, i])));
//// accessor class
class T { static count = 0; #secret = 1; open = 2; get area() { return 3; } } console.log(new T(), T, T.count);
