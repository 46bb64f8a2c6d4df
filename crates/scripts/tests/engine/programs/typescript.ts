//// enums
enum Color { Red, Green = 5, Blue } console.log(Color.Red, Color.Blue, Color[5], Color);
//// string enums
enum S { Up = 'UP', Down = 'DOWN' } console.log(S.Up, Object.values(S), S);
//// const enum
const enum C { A = 1 << 2, B = A | 1 } console.log(C.A, C.B);
//// computed enum
enum E { Len = 'abc'.length, Next = 10 } console.log(E.Len, E[3], E.Next);
//// heterogeneous
enum H { No = 0, Yes = 'YES' } console.log(H.No, H.Yes, H[0]);
//// namespaces
namespace N { export const x = 1; export function f() { return x + 1; } export namespace Inner { export const y = 'deep'; } const hidden = 1; } console.log(N.x, N.f(), N.Inner.y, Object.keys(N));
//// merged namespace
function greet() { return greet.greeting; } namespace greet { export const greeting = 'hello'; } console.log(greet());
//// generics
function id<T>(x: T): T { return x; } const first = <T,>(xs: readonly T[]): T | undefined => xs[0]; console.log(id<number>(1), first(['a']), id`x`);
//// constraints
const prop = <T extends object, K extends keyof T>(o: T, k: K): T[K] => o[k]; console.log(prop({ a: 1, b: 'x' }, 'b'));
//// as satisfies
const conf = { port: 80, host: 'h' } satisfies Record<string, unknown>; const v = (conf as any).port as number; const nn = (null as string | null)!; console.log(v, conf.host, nn, <any>5 as unknown);
//// as const
const dirs = ['n', 's'] as const; type Dir = (typeof dirs)[number]; const d: Dir = 'n'; console.log(dirs, d);
//// unions
type Shape = { kind: 'circle'; r: number } | { kind: 'rect'; w: number; h: number }; const area = (s: Shape): number => { switch (s.kind) { case 'circle': return +(Math.PI * s.r ** 2).toFixed(2); case 'rect': return s.w * s.h; } }; console.log(area({ kind: 'circle', r: 1 }), area({ kind: 'rect', w: 2, h: 3 }));
//// guards
const isStr = (x: unknown): x is string => typeof x === 'string'; console.log([1, 'a', null, 'b'].filter(isStr).map((s) => s.toUpperCase()));
//// assertion functions
function must(x: unknown, why: string): asserts x { if (!x) throw new Error(why); } try { must(0, 'zero'); } catch (e: any) { console.log(e.message); }
//// mapped types
type RO<T> = { readonly [K in keyof T]?: T[K] }; const ro: RO<{ a: number }> = { a: 1 }; console.log(ro);
//// conditional types
type El<T> = T extends (infer U)[] ? U : never; const el: El<string[]> = 'x'; console.log(el);
//// template types
type Ev = `on${Capitalize<'click' | 'key'>}`; const ev: Ev = 'onClick'; console.log(ev);
//// overloads
function over(a: string): string; function over(a: number, b: number): number; function over(a: any, b?: any) { return b === undefined ? a + '!' : a + b; } console.log(over('x'), over(1, 2));
//// optional
interface Opt { a?: number; readonly b: string; c?(): void; [k: string]: unknown } const o: Opt = { b: 'x' }; o.c?.(); console.log(o.a ?? 'none', o);
//// tuple
type T3 = [name: string, age?: number, ...rest: boolean[]]; const t: T3 = ['a', 1, true, false]; const [n, ...others] = t; console.log(n, others);
//// abstract constructor
abstract class A<T = string> { abstract get(): T; static of<U>(this: new () => U) { return new this(); } } class B extends A<number> { override get() { return 42; } } console.log(B.of().get());
//// definite
let x!: number; const set = () => { x = 5; }; set(); console.log(x);
//// this types
function hello(this: { name: string }, suffix: string) { return this.name + suffix; } console.log(hello.call({ name: 'x' }, '!'));
//// type only
type Unused = { a: 1 }; interface AlsoUnused {} declare const ghost: number; declare function nobody(): void; export type { Unused }; console.log(typeof (globalThis as any).ghost);
//// export
export const exported = 1; export function fn() {} export { exported as renamed }; console.log(exported);
//// utility
type U = { a: number; b?: string; c: boolean }; const partial: Partial<Pick<U, 'a' | 'b'>> & Omit<U, 'a' | 'b'> = { c: true }; const rec: Record<'x' | 'y', number> = { x: 1, y: 2 }; console.log(partial, rec);
//// unknown narrowing
const show = (v: unknown): string => v instanceof Date ? 'date' : Array.isArray(v) ? `list of ${v.length}` : typeof v === 'object' && v !== null && 'id' in v ? `id ${v.id}` : String(v); console.log(show(new Date(0)), show([1]), show({ id: 7 }), show(null));
//// symbol unique
const sym: unique symbol = Symbol('u'); const so = { [sym]: 1 }; console.log(so[sym], so);
//// accessors types
class Box<T> { #v: T; constructor(v: T) { this.#v = v; } get v(): T { return this.#v; } map<U>(f: (x: T) => U): Box<U> { return new Box(f(this.#v)); } } console.log(new Box(2).map((q) => q + 1).map(String).v);
//// never
const exhaustive = (v: never): never => { throw new Error('unexpected ' + v); }; const k: 'a' | 'b' = 'a'; console.log(k === 'a' ? 1 : exhaustive(k as never));
//// function types
type Fn = (a: number, ...r: string[]) => void; type New = new (x: number) => object; const fnn: Fn = (a, ...r) => console.log(a, r); fnn(1, 'x', 'y');
//// comments
/* a */ const /* b */ c1 /* : number */ = 1; // c
/** doc */ function dd(/* none */) { return /* r */ c1; } console.log(dd());
//// arrow generics and objects
const mk = <K extends string, V>(k: K, w: V) => ({ [k]: w }) as Record<K, V>; console.log(mk('a', [1]));
//// decimal separators
console.log(1_000_000, 0b1010, 0o17, 0xff_ff, .5, 5., 1e3);
//// non-null chains
const tree: any = { a: { b: [{ c: 1 }] } }; console.log(tree!.a!.b![0]!.c, (tree.a as any)['b'].length);
//// async generics
const load = async <T,>(v: T, ms = 1): Promise<T> => { await new Promise((r) => setTimeout(r, ms)); return v; }; console.log(await load<string>('loaded'), await Promise.all([load(1), load('two')]));
//// keyof typeof
const codes = { ok: 200, missing: 404 } as const; type Code = (typeof codes)[keyof typeof codes]; const is404 = (q: Code) => q === codes.missing; console.log(is404(404), (Object.keys(codes) as (keyof typeof codes)[]).join());
//// ambient module block
declare global { interface Window { x: number } } console.log('fine');
//// enum in class
class Task { static readonly Status = { Open: 'open', Done: 'done' } as const; status: (typeof Task.Status)[keyof typeof Task.Status] = Task.Status.Open; finish() { this.status = Task.Status.Done; return this; } } console.log(new Task().finish());
