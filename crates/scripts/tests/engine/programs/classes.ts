//// basic
class Animal { name: string; constructor(name: string) { this.name = name; } speak() { return `${this.name} makes a sound`; } } class Dog extends Animal { speak() { return super.speak() + ': woof'; } } console.log(new Dog('Rex').speak(), new Dog('Rex'));
//// parameter properties
class P { constructor(public readonly x: number, private y = 2, protected z?: string) {} sum() { return this.x + this.y; } } console.log(new P(1), new P(3, 4).sum());
//// private fields
class C { #n = 0; static #made = 0; constructor() { C.#made++; } inc() { this.#n++; return this; } get n() { return this.#n; } static get made() { return C.#made; } has(o: any) { return #n in o; } } console.log(new C().inc().inc().n, C.made, new C().has({}));
//// static
class S { static a = 1; static b = S.a + 1; static { S.b *= 10; } static make() { return new this(); } } console.log(S.b, S.make(), S);
//// abstract
abstract class Shape { abstract area(): number; describe() { return `${this.constructor.name} ${this.area().toFixed(2)}`; } } class Circle extends Shape { constructor(private r: number) { super(); } area() { return Math.PI * this.r ** 2; } } class Sq extends Shape { constructor(private s: number) { super(); } area() { return this.s ** 2; } } console.log([new Circle(1), new Sq(2)].map((s) => s.describe()));
//// interfaces
interface Named { name: string } interface Aged extends Named { age?: number } class Person implements Aged { constructor(public name: string, public age?: number) {} } const p: Named = new Person('Ana'); console.log(p, p.name);
//// getters
class Temp { constructor(private c: number) {} get f() { return this.c * 9 / 5 + 32; } set f(v) { this.c = (v - 32) * 5 / 9; } } const t = new Temp(100); t.f = 32; console.log(t.f, t);
//// symbols
class Range { constructor(private a: number, private b: number) {} *[Symbol.iterator]() { for (let i = this.a; i < this.b; i++) yield i; } get [Symbol.toStringTag]() { return 'Range'; } } console.log([...new Range(1, 4)], Object.prototype.toString.call(new Range(0, 1)));
//// mixins
type Ctor = new (...a: any[]) => object; const Timed = <T extends Ctor>(B: T) => class extends B { stamp = 1; }; class Base { id = 7; } console.log(new (Timed(Base))());
//// extends array
class Stack<T> extends Array<T> { peek() { return this[this.length - 1]; } } const s = new Stack<number>(); s.push(1, 2); console.log(s, s.peek(), s.length, s instanceof Array);
//// extends error
class HttpError extends Error { constructor(public status: number, message: string) { super(message); this.name = 'HttpError'; } } try { throw new HttpError(404, 'nope'); } catch (e) { if (e instanceof HttpError) console.log(e.name, e.status, e.message, e instanceof Error, String(e)); }
//// extends map
class Counter extends Map<string, number> { add(k: string) { return this.set(k, (this.get(k) ?? 0) + 1); } } console.log(new Counter().add('a').add('a').add('b'));
//// chaining
class Q { private parts: string[] = []; where(s: string) { this.parts.push(s); return this; } toString() { return this.parts.join(' AND '); } } console.log(`${new Q().where('a = 1').where('b = 2')}`);
//// new.target
function F(this: any) { return new.target === undefined ? 'call' : 'new'; } console.log((F as any)(), typeof new (F as any)());
//// expression
const K = class Inner { static who() { return Inner.name; } }; console.log(K.name, K.who(), K);
//// singleton
class One { private static it?: One; static get() { return this.it ??= new One(); } } console.log(One.get() === One.get());
//// method binding
class B { v = 1; arrow = () => this.v; plain() { return this?.v; } } const { arrow, plain } = new B(); console.log(arrow(), plain());
//// super properties
class A1 { static hi() { return 'A'; } who() { return 'a'; } } class A2 extends A1 { static hi() { return super.hi() + 'B'; } who() { return super.who() + 'b'; } } console.log(A2.hi(), new A2().who());
//// static inheritance
class X { static shared = [] as number[]; } class Y extends X {} Y.shared.push(1); console.log(X.shared, Object.getPrototypeOf(Y) === X);
//// index signature
class Bag { [key: string]: unknown; a = 1; } const bag = new Bag(); bag.b = 2; console.log(bag, Object.keys(bag));
//// accessors on prototype
class G { get x() { return 1; } } console.log(new G(), Object.keys(new G()), 'x' in new G(), Object.getOwnPropertyNames(G.prototype));
//// overloads
class O { f(a: string): string; f(a: number): number; f(a: any) { return typeof a; } } console.log(new O().f('x'), new O().f(1));
//// declare field
class D { declare x: number; y?: string; z!: number; } console.log(new D());
//// linked list
class Node2<T> { constructor(public value: T, public next: Node2<T> | null = null) {} } const list = new Node2(1, new Node2(2, new Node2(3))); console.log(list); let sum = 0; for (let at: Node2<number> | null = list; at; at = at.next) sum += at.value; console.log(sum);
//// tree
class Tree { left?: Tree; right?: Tree; constructor(public v: number) {} insert(v: number): this { const side = v < this.v ? 'left' : 'right'; if (this[side]) this[side]!.insert(v); else this[side] = new Tree(v); return this; } *[Symbol.iterator](): Generator<number> { if (this.left) yield* this.left; yield this.v; if (this.right) yield* this.right; } } console.log([...[5, 2, 8, 1].reduce((t, v) => t.insert(v), new Tree(4))]);
//// event emitter
class Emitter<E extends string> { private on_: Partial<Record<E, ((x: any) => void)[]>> = {}; on(e: E, f: (x: any) => void) { (this.on_[e] ??= []).push(f); return this; } emit(e: E, x: unknown) { this.on_[e]?.forEach((f) => f(x)); } } const em = new Emitter<'a' | 'b'>().on('a', (x) => console.log('got', x)); em.emit('a', { n: 1 }); em.emit('b', 2);
//// lru
class LRU<K, V> { private m = new Map<K, V>(); constructor(private cap: number) {} get(k: K) { const v = this.m.get(k); if (v !== undefined) { this.m.delete(k); this.m.set(k, v); } return v; } set(k: K, v: V) { this.m.delete(k); this.m.set(k, v); if (this.m.size > this.cap) this.m.delete(this.m.keys().next().value!); } keys() { return [...this.m.keys()]; } } const l = new LRU<string, number>(2); l.set('a', 1); l.set('b', 2); l.get('a'); l.set('c', 3); console.log(l.keys());
//// state machine
type S3 = 'idle' | 'busy' | 'done'; const next: Record<S3, S3> = { idle: 'busy', busy: 'done', done: 'idle' }; let st: S3 = 'idle'; const seen: S3[] = []; for (let i = 0; i < 4; i++) { seen.push(st); st = next[st]; } console.log(seen.join(' > '));
