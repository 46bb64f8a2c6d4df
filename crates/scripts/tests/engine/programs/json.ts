//// stringify
console.log(JSON.stringify({ a: [1, 'x', null, true], b: { c: undefined, d: () => 1 } }), JSON.stringify([undefined, () => 1, NaN, Infinity, -0]));
//// indent
console.log(JSON.stringify({ a: 1, b: [1, { c: 2 }], e: [], f: {} }, null, 2));
//// indent string
console.log(JSON.stringify([1, [2]], null, '--'));
//// replacer
console.log(JSON.stringify({ a: 1, password: 'x', n: { password: 'y' } }, (k, v) => k === 'password' ? undefined : v), JSON.stringify({ a: 1, b: 2, c: 3 }, ['a', 'c']));
//// parse
console.log(JSON.parse('{"a":[1,2.5,-3e2],"b":"\\u00e9\\n","c":null}'), JSON.parse('"x"'), JSON.parse(' [ ] '));
//// reviver
console.log(JSON.parse('{"d":"2024-01-01T00:00:00.000Z","n":1}', (k, v) => k === 'd' ? new Date(v) : v));
//// errors
for (const s of ['{a:1}', '', '[1,]', '{"a":1', 'undefined']) { try { JSON.parse(s); console.log('ok'); } catch (e: any) { console.log(e.name); } }
//// round trip
const o = { s: 'é"\\', n: 1.5, l: [[]], o: { p: {} } }; console.log(JSON.stringify(JSON.parse(JSON.stringify(o))) === JSON.stringify(o));
//// dates
console.log(JSON.stringify({ d: new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 6)) }), JSON.stringify(new Date(NaN)));
//// bigint
try { JSON.stringify({ b: 1n }); } catch (e: any) { console.log(e.name); }
//// circular
const c: any = {}; c.c = c; try { JSON.stringify(c); } catch (e: any) { console.log(e.name); }
//// proto
const p = JSON.parse('{"__proto__":{"admin":true}}'); console.log(p.admin, Object.keys(p), ({} as any).admin);
//// unicode
console.log(JSON.stringify('\u2028\ud83d\ude00\u0007'), JSON.stringify('\ud800'));
//// numbers
console.log(JSON.stringify([1e21, 1e-7, 0.1, 123456789.123, -0, 5e-324]));
//// nested to text
console.log(JSON.stringify(JSON.stringify({ a: 'b' })), JSON.parse(JSON.parse('"[1]"')));
//// order
console.log(JSON.stringify({ b: 1, a: 2, 1: 3 }));
//// sparse and boxed
console.log(JSON.stringify([, 1]), JSON.stringify([new Number(1), new String('s'), new Boolean(true)]), JSON.stringify(Object('x')));
//// map set
console.log(JSON.stringify({ m: [...new Map([['a', 1]])], s: [...new Set([1])] }), JSON.stringify(new Map([[1, 2]])));
//// class
class P { constructor(public x = 1, private y = 2) {} toJSON() { return { ...this, type: 'P' }; } } console.log(JSON.stringify([new P()]));
//// ndjson
console.log('{"a":1}\n{"a":2}\n'.trim().split('\n').map((l) => JSON.parse(l).a));
//// success form
console.log(JSON.stringify({ success: true, content: 'x' }).length);
//// query
const data = { users: [{ id: 1, roles: ['a'] }, { id: 2, roles: [] }] }; const get = (o: any, path: string) => path.split('.').reduce((v, k) => v?.[k], o); console.log(get(data, 'users.0.roles.0'), get(data, 'users.5.x'));
//// schema check
type Rule = { type: string; required?: boolean }; const rules: Record<string, Rule> = { n: { type: 'number', required: true }, s: { type: 'string' } }; const errors = (v: any) => Object.entries(rules).flatMap(([k, r]) => v[k] === undefined ? r.required ? [`${k} is missing`] : [] : typeof v[k] !== r.type ? [`${k} is no ${r.type}`] : []); console.log(errors({}), errors({ n: 1, s: 2 }), errors({ n: 1 }));
//// diff
const diff = (a: any, b: any) => [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((k) => JSON.stringify(a[k]) !== JSON.stringify(b[k])).sort(); console.log(diff({ a: 1, b: [1], c: 3 }, { a: 1, b: [2], d: 4 }));
