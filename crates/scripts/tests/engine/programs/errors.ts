//// try catch finally
const f = () => { try { throw new Error('a'); } catch (e: any) { return 'caught ' + e.message; } finally { console.log('finally'); } }; console.log(f());
//// finally overrides
console.log((() => { try { return 1; } finally { return 2; } })());
//// types
for (const g of [() => (null as any).x, () => (undefined as any)(), () => new Array(-1), () => (x: any) => x, () => { throw 'text'; }, () => { throw { code: 1 }; }]) { try { console.log(typeof g()); } catch (e: any) { console.log(e?.name ?? typeof e); } }
//// instanceof
try { JSON.parse('{'); } catch (e) { console.log(e instanceof SyntaxError, e instanceof Error, Object.prototype.toString.call(e)); }
//// message
const e = new TypeError('wrong', { cause: 'why' }); console.log(e.message, e.cause, e.name, String(e), e.toString());
//// properties
const e2: any = new Error('m'); e2.code = 'E1'; console.log(Object.keys(e2), JSON.stringify(e2), e2.code, 'stack' in e2);
//// optional binding
try { throw 1; } catch { console.log('no binding'); }
//// rethrow
try { try { throw new Error('inner'); } catch (x) { throw new Error('outer', { cause: x }); } } catch (y: any) { console.log(y.message, y.cause.message); }
//// custom
class V extends Error { constructor(readonly field: string) { super(`${field} is wrong`); this.name = new.target.name; } } try { throw new V('age'); } catch (x: any) { console.log(x.name, x.field, x.message, x instanceof V); }
//// aggregate
const ag = new AggregateError([new Error('1'), 2], 'many'); console.log(ag.errors.length, ag.message, ag.name);
//// reference
try { (0, eval)('missingVariable'); } catch (x: any) { console.log(x.name); }
//// const assignment
try { const q = 1; (new Function('const q = 1; q = 2'))(); } catch (x: any) { console.log(x.name); }
//// tdz
try { const h = () => late; h(); const late = 1; } catch (x: any) { console.log(x.name); }
//// stack overflow
const so = (): number => so() + 1; try { so(); } catch (x: any) { console.log(x.name); }
//// nested finally order
const order: number[] = []; try { try { throw 1; } finally { order.push(1); } } catch { order.push(2); } finally { order.push(3); } console.log(order);
//// result type
type Result<T> = { ok: true; value: T } | { ok: false; error: string }; const div = (a: number, b: number): Result<number> => b === 0 ? { ok: false, error: 'zero' } : { ok: true, value: a / b }; console.log(div(1, 2), div(1, 0));
//// assert
console.assert(1 === 1, 'not shown'); console.log('after');
//// guard
const num = (v: unknown): number => { if (typeof v !== 'number' || Number.isNaN(v)) throw new TypeError(`not a number: ${JSON.stringify(v)}`); return v; }; for (const v of [1, 'x', NaN]) { try { console.log(num(v)); } catch (x: any) { console.log(x.message); } }
//// in promise
await Promise.all([1, 2].map(async (n) => { if (n === 2) throw new Error('two'); return n; })).catch((x) => console.log('all:', x.message));
//// frozen
'use strict'; try { Object.freeze([1]).push(2); } catch (x: any) { console.log(x.name); }
//// symbol conversion
try { `${Symbol('x') as any}`; } catch (x: any) { console.log(x.name); } try { 1n + (1 as any); } catch (x: any) { console.log(x.name); }
//// uri
try { decodeURIComponent('%'); } catch (x: any) { console.log(x.name); }
//// toFixed range
try { (1).toFixed(101); } catch (x: any) { console.log(x.name); } try { 'x'.repeat(-1); } catch (x: any) { console.log(x.name); }
