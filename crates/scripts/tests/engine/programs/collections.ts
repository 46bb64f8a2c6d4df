//// map
const m = new Map<any, any>([['a', 1], [{ k: 1 }, [2]], [NaN, 'nan']]); m.set('b', new Map([['x', 1]])); console.log(m, m.size, m.get(NaN), m.has('z'));
//// map iteration
for (const [k, v] of new Map([['a', 1], ['b', 2]])) console.log(k, v); console.log([...new Map([[1, 2]]).keys()], [...new Map([[1, 2]]).entries()]);
//// map methods
const n = new Map([[1, 'a']]); console.log(n.delete(1), n.delete(1), n.size, n); n.set(2, 'b').set(3, 'c'); n.forEach((v, k) => console.log(k, v)); n.clear(); console.log(n.size);
//// set
console.log(new Set([1, 2, 2, 3]), new Set('hello'), new Set([[1], { a: 1 }]), new Set());
//// set operations
const a = new Set([1, 2, 3]), b = new Set([2, 3, 4]); console.log([...a].filter((x) => b.has(x)), new Set([...a, ...b]), [...a].filter((x) => !b.has(x)));
//// new set methods
const c = new Set([1, 2, 3]), d = new Set([3, 4]); console.log(c.union(d), c.intersection(d), c.difference(d), c.symmetricDifference(d), new Set([1]).isSubsetOf(c));
//// set methods
const s = new Set<number>(); console.log(s.add(1).add(1).size, s.has(1), s.delete(1), s.size);
//// weak
const w = new WeakMap(); const key = {}; w.set(key, 1); console.log(w.get(key), w.has({}), new WeakSet([key]).has(key));
//// map to object
console.log(Object.fromEntries(new Map([['x', 1], ['y', 2]])), new Map(Object.entries({ p: 1 })));
//// nested map
console.log(new Map([['outer', new Map([['inner', new Set([1, { deep: { deeper: 1 } }])]])]]));
//// big map
console.log(new Map(Array.from({ length: 10 }, (_, i) => [`key number ${i}`, { value: i }])));
//// sort map
console.log(new Map([...new Map([['b', 2], ['a', 3], ['c', 1]])].sort((x, y) => x[1] - y[1])));
//// count
const counts = [...'mississippi'].reduce((t, ch) => t.set(ch, (t.get(ch) ?? 0) + 1), new Map<string, number>()); console.log(counts, Math.max(...counts.values()));
//// typed arrays
console.log(new Uint8Array([1, 2, 300]), new Float64Array(2), new Int16Array([-1, 40000]), new BigInt64Array([1n]), new Uint8ClampedArray([300, -5]));
//// typed methods
const t = Uint8Array.from([3, 1, 2]); console.log(t.sort(), t.map((x) => x * 2), t.reduce((p, q) => p + q), t.subarray(1), t.slice(0, 1), t.indexOf(2), [...t]);
//// buffer views
const buf = new ArrayBuffer(8); const dv = new DataView(buf); dv.setInt16(0, 258); dv.setFloat32(4, 1.5, true); console.log(new Uint8Array(buf), dv.getInt16(0, true), buf.byteLength);
//// array buffer
console.log(new ArrayBuffer(4), new Uint8Array([1, 2]).buffer);
//// buffer
console.log(Buffer.from('héllo').toString('hex'), Buffer.from('aGk=', 'base64').toString(), Buffer.from('hi').toString('base64'), Buffer.byteLength('é'), Buffer.from([1, 2, 3]));
//// buffer ops
console.log(Buffer.concat([Buffer.from('a'), Buffer.from('bc')]).toString(), Buffer.alloc(3), Buffer.from('abc').equals(Buffer.from('abc')), Buffer.from('abc').subarray(1).toString(), Buffer.isBuffer(new Uint8Array()));
//// text encoding
console.log(new TextEncoder().encode('é😀'), new TextDecoder().decode(new Uint8Array([226, 130, 172])));
//// base64
console.log(btoa('hello'), atob('aGVsbG8='), btoa(String.fromCharCode(255, 0)));
//// base64 wrong
try { btoa('é€'); } catch (e: any) { console.log(e.name); } try { atob('a'); } catch (e: any) { console.log(e.name); }
//// matrix of typed
const grid = Array.from({ length: 2 }, () => new Uint8Array(3)); grid[1][2] = 7; console.log(grid);
//// long typed
console.log(new Uint8Array(150).map((_, i) => i));
//// graph
const g: Record<string, string[]> = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }; const bfs = (s0: string) => { const seen = new Set([s0]); const q = [s0]; while (q.length) for (const x of g[q.shift()!]) if (!seen.has(x)) { seen.add(x); q.push(x); } return [...seen]; }; console.log(bfs('a'));
//// dijkstra
const edges: [string, string, number][] = [['a', 'b', 4], ['a', 'c', 1], ['c', 'b', 2], ['b', 'd', 5]]; const dist = new Map<string, number>([['a', 0]]); for (let i = 0; i < 4; i++) for (const [p, q, wgt] of edges) if (dist.has(p)) dist.set(q, Math.min(dist.get(q) ?? Infinity, dist.get(p)! + wgt)); console.log(dist);
//// priority queue
class PQ<T> { private h: [number, T][] = []; push(p: number, v: T) { this.h.push([p, v]); this.h.sort((x, y) => x[0] - y[0]); } pop() { return this.h.shift()?.[1]; } } const pq = new PQ<string>(); pq.push(3, 'c'); pq.push(1, 'a'); pq.push(2, 'b'); console.log(pq.pop(), pq.pop(), pq.pop(), pq.pop());
//// union find
const parent = [0, 1, 2, 3, 4]; const find = (x: number): number => parent[x] === x ? x : (parent[x] = find(parent[x])); const join = (x: number, y: number) => { parent[find(x)] = find(y); }; join(0, 1); join(3, 4); join(1, 4); console.log(find(0) === find(3), find(2) === find(0));
//// structured clone
const orig = { d: new Date(5), r: /x/gi, s: new Set([1]), n: { a: [1, 2] } }; const copy = structuredClone(orig); copy.n.a.push(3); console.log(orig.n.a, copy, copy.d !== orig.d);
//// set in object
console.log({ tags: new Set(['a', 'b']), map: new Map([['k', [1, 2]]]), empty: new Map() });
//// weakref
console.log(new WeakRef({ a: 1 }).deref());
