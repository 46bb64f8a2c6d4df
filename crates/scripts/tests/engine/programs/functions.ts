//// defaults
const f = (a: number, b = a * 2, { c = 3, d }: { c?: number; d?: string } = {}) => [a, b, c, d]; console.log(f(1), f(1, undefined, { d: 'x' }));
//// rest
const g = (first: string, ...rest: number[]) => `${first}:${rest.length}`; console.log(g('a'), g('b', 1, 2), g.length);
//// closures
const counter = () => { let n = 0; return { inc: () => ++n, get: () => n }; }; const c = counter(); c.inc(); c.inc(); console.log(c.get(), c);
//// currying
const add = (a: number) => (b: number) => (d: number) => a + b + d; console.log(add(1)(2)(3));
//// compose
const pipe = (...fs: ((x: any) => any)[]) => (x: any) => fs.reduce((v, h) => h(v), x); console.log(pipe((x) => x + 1, (x) => x * 2, String)(3));
//// recursion
const fib = (n: number): number => n < 2 ? n : fib(n - 1) + fib(n - 2); const fact = (n: bigint): bigint => n < 2n ? 1n : n * fact(n - 1n); console.log(fib(15), fact(25n));
//// memo
const memo = <A extends unknown[], R>(h: (...a: A) => R) => { const seen = new Map<string, R>(); return (...a: A) => { const k = JSON.stringify(a); if (!seen.has(k)) seen.set(k, h(...a)); return seen.get(k)!; }; }; let calls = 0; const sq = memo((x: number) => { calls++; return x * x; }); console.log(sq(4), sq(4), calls);
//// hoisting
console.log(hoisted(), typeof later); function hoisted() { return 'up'; } var later = 1;
//// iife
console.log((() => { const secret = 5; return secret * 2; })(), (function () { return typeof this; }).call(1));
//// call apply bind
function who(this: any, a: number, b: number) { return [this.n, a, b]; } console.log(who.call({ n: 1 }, 2, 3), who.apply({ n: 4 }, [5, 6]), who.bind({ n: 7 }, 8)(9));
//// generators
function* gen(): Generator<number, string, number> { const x = yield 1; const y = yield x * 2; return `end ${x + y}`; } const it = gen(); console.log(it.next(), it.next(10), it.next(5), it.next());
//// infinite
function* nat() { let n = 0; while (true) yield n++; } const take = <T>(n: number, xs: Iterable<T>) => { const out: T[] = []; for (const x of xs) { if (out.length >= n) break; out.push(x); } return out; }; console.log(take(5, nat()));
//// delegation
function* inner() { yield 1; return 'r'; } function* outer() { const r = yield* inner(); yield r; yield* [2, 3]; } console.log([...outer()]);
//// generator return
function* cleanup() { try { yield 1; yield 2; } finally { console.log('cleaned'); } } for (const x of cleanup()) { console.log(x); break; }
//// generator throw
function* catching() { try { yield 1; } catch (e) { yield `caught ${e}`; } } const ct = catching(); ct.next(); console.log(ct.throw('x'), ct.next());
//// printing generators
function* gg() {} console.log(gg, gg(), async function* ag() {}, [][Symbol.iterator]() !== undefined);
//// iterator protocol
const iter = { from: 1, to: 3, [Symbol.iterator]() { let at = this.from; const to = this.to; return { next: () => at <= to ? { value: at++, done: false } : { value: undefined, done: true } }; } }; console.log([...iter], Math.max(...iter));
//// iterator helpers
console.log([1, 2, 3, 4].values().filter((x) => x % 2 === 0).map((x) => x * 10).toArray());
//// labels
outer: for (let i = 0; i < 3; i++) { for (let j = 0; j < 3; j++) { if (j === 1) continue outer; if (i === 2) break outer; console.log(i, j); } }
//// switch
const sw = (x: any) => { switch (true) { case x > 10: return 'big'; case typeof x === 'string': return 'text'; default: return 'other'; } }; console.log(sw(11), sw('a'), sw(1));
//// fallthrough
const out: string[] = []; switch (2 as number) { case 1: out.push('1'); case 2: out.push('2'); case 3: out.push('3'); break; case 4: out.push('4'); } console.log(out);
//// loops
let w = 0; do { w += 2; } while (w < 5); for (var i = 0, j = 10; i < j; i += 3, j--); console.log(w, i, j);
//// closures in loops
const fs: (() => number)[] = []; for (let k = 0; k < 3; k++) fs.push(() => k); var vs: (() => number)[] = []; for (var m = 0; m < 3; m++) vs.push(() => m); console.log(fs.map((h) => h()), vs.map((h) => h()));
//// length and toString
console.log(((a: any, b: any) => a).length, ((...r: any[]) => r).length, ((a: any, b = 1) => a).length);
//// hanoi
const moves: string[] = []; const hanoi = (n: number, a = 'A', b = 'B', d = 'C') => { if (n) { hanoi(n - 1, a, d, b); moves.push(a + d); hanoi(n - 1, b, a, d); } }; hanoi(3); console.log(moves.join(' '));
//// permutations
const perms = (s: string): string[] => s.length < 2 ? [s] : [...new Set([...s].flatMap((ch, k) => perms(s.slice(0, k) + s.slice(k + 1)).map((r) => ch + r)))]; console.log(perms('abc'), perms('aab').length);
//// primes
const sieve = (n: number) => { const p = new Uint8Array(n + 1).fill(1); for (let i = 2; i * i <= n; i++) if (p[i]) for (let q = i * i; q <= n; q += i) p[q] = 0; return [...p.keys()].filter((k) => k > 1 && p[k]); }; console.log(sieve(50));
//// gcd
const gcd = (a: number, b: number): number => b ? gcd(b, a % b) : a; console.log(gcd(48, 36), [12, 18, 24].reduce(gcd));
//// roman
const roman = (n: number) => [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']].reduce((s, [v, r]) => { while (n >= (v as number)) { s += r; n -= v as number; } return s; }, ''); console.log(roman(1994), roman(2024));
//// fizzbuzz
console.log(Array.from({ length: 15 }, (_, k) => ((k + 1) % 3 ? '' : 'Fizz') + ((k + 1) % 5 ? '' : 'Buzz') || k + 1).join(' '));
//// calculator
const calc = (s: string) => { const t = s.match(/\d+\.?\d*|[-+*/()]/g)!; let at = 0; const expr = (): number => { let v = term(); while (t[at] === '+' || t[at] === '-') v = t[at++] === '+' ? v + term() : v - term(); return v; }; const term = (): number => { let v = factor(); while (t[at] === '*' || t[at] === '/') v = t[at++] === '*' ? v * factor() : v / factor(); return v; }; const factor = (): number => { if (t[at] === '(') { at++; const v = expr(); at++; return v; } return Number(t[at++]); }; return expr(); }; console.log(calc('2 + 3 * (4 - 1) / 2'));
