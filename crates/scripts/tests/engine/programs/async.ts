//// await order
console.log(1); setTimeout(() => console.log(5), 0); Promise.resolve().then(() => console.log(3)); queueMicrotask(() => console.log(4)); console.log(2);
//// async function
const wait = (ms: number, v?: any) => new Promise((r) => setTimeout(() => r(v), ms)); async function main() { const a = await wait(2, 'a'); const b = await wait(1, 'b'); console.log(a, b); } await main();
//// all
console.log(await Promise.all([1, Promise.resolve(2), new Promise((r) => setTimeout(() => r(3), 1))]));
//// allSettled
console.log(await Promise.allSettled([Promise.resolve(1), Promise.reject('no'), 3]));
//// race any
console.log(await Promise.race([new Promise((r) => setTimeout(() => r('slow'), 20)), new Promise((r) => setTimeout(() => r('fast'), 1))]), await Promise.any([Promise.reject(1), Promise.resolve(2)]));
//// any fails
try { await Promise.any([Promise.reject(1), Promise.reject(2)]); } catch (e: any) { console.log(e.name, e.errors); }
//// catch finally
await Promise.reject(new Error('x')).catch((e) => console.log('caught', e.message)).finally(() => console.log('finally')).then((v) => console.log(v));
//// try catch
const fails = async () => { throw new TypeError('bad'); }; try { await fails(); } catch (e: any) { console.log(e.name, e.message); } finally { console.log('done'); }
//// sequence
for (const ms of [3, 1, 2]) { await new Promise((r) => setTimeout(r, ms)); console.log(ms); }
//// parallel order
const results: number[] = []; await Promise.all([15, 1, 8].map(async (ms) => { await new Promise((r) => setTimeout(r, ms)); results.push(ms); })); console.log(results);
//// async iteration
async function* ag() { for (let i = 0; i < 3; i++) { await null; yield i; } } for await (const x of ag()) console.log(x); for await (const y of [Promise.resolve('p'), 'q']) console.log(y);
//// thenable
console.log(await { then(r: any) { r('thenable'); } } as any);
//// withResolvers
const { promise, resolve } = Promise.withResolvers<number>(); setTimeout(() => resolve(9), 1); console.log(await promise);
//// retry
let tries = 0; const flaky = async () => { if (++tries < 3) throw new Error('again'); return 'ok after ' + tries; }; const retry = async (f: () => Promise<string>, n: number): Promise<string> => { try { return await f(); } catch (e) { if (n <= 1) throw e; return retry(f, n - 1); } }; console.log(await retry(flaky, 5));
//// timeout race
const timeout = (ms: number) => new Promise((_, j) => setTimeout(() => j(new Error('timeout')), ms)); try { await Promise.race([new Promise(() => {}), timeout(1)]); } catch (e: any) { console.log(e.message); }
//// pool
const pool = async <T>(jobs: (() => Promise<T>)[], n: number) => { const out: T[] = []; let at = 0; await Promise.all(Array.from({ length: n }, async () => { while (at < jobs.length) { const i = at++; out[i] = await jobs[i](); } })); return out; }; console.log(await pool([1, 2, 3, 4, 5].map((x) => async () => x * x), 2));
//// interval
let n = 0; await new Promise<void>((r) => { const t = setInterval(() => { console.log('tick', ++n); if (n === 3) { clearInterval(t); r(); } }, 1); });
//// clearTimeout
const t = setTimeout(() => console.log('never'), 1); clearTimeout(t); await new Promise((r) => setTimeout(r, 5)); console.log('end');
//// timer order
setTimeout(() => console.log('b'), 6); setTimeout(() => console.log('a'), 1); await new Promise((r) => setTimeout(r, 15));
//// timer arguments
setTimeout((a, b) => console.log(a, b), 1, 'x', 2);
//// promise printing
console.log(new Promise(() => {}));
//// microtask order
const log: string[] = []; const p1 = (async () => { log.push('1'); await null; log.push('4'); })(); log.push('2'); const p2 = Promise.resolve().then(() => log.push('5')); log.push('3'); await p1; await p2; console.log(log.join(''));
//// nested
const deep = async (k: number): Promise<number> => k === 0 ? 0 : 1 + await deep(k - 1); console.log(await deep(100));
//// reduce chain
console.log(await [1, 2, 3].reduce(async (acc, x) => (await acc) + x, Promise.resolve(0)));
//// error in then
Promise.resolve(1).then(() => { throw new RangeError('r'); }).catch((e) => console.log(e instanceof RangeError, e.message));
//// async arrow in map
console.log(await Promise.all(['a', 'b'].map(async (s, i) => s + i)));
//// abort
const ac = new AbortController(); ac.signal.addEventListener('abort', () => console.log('aborted', ac.signal.aborted)); ac.abort();
//// next tick
process.nextTick(() => console.log('tick')); console.log('sync');
//// top level await
const { value } = await (async () => ({ value: 'top' }))(); console.log(value);
//// immediate
setImmediate(() => console.log('immediate')); console.log('first');
//// class async
class Repo { private items = new Map([[1, 'one']]); async find(id: number) { await Promise.resolve(); return this.items.get(id) ?? null; } static async open() { return new Repo(); } } const repo = await Repo.open(); console.log(await repo.find(1), await repo.find(2));
//// async generator pipeline
async function* nums() { yield* [1, 2, 3, 4]; } async function* even(xs: AsyncIterable<number>) { for await (const x of xs) if (x % 2 === 0) yield x; } const got: number[] = []; for await (const x of even(nums())) got.push(x); console.log(got);
