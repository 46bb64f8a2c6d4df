//// literals
console.log([], [1], [1, 2, 3], [[1, [2, [3, [4]]]]], ['a', 1, null, undefined, true]);
//// holes
console.log([1, , 3], new Array(3), [, 'a', , ,], Array(2).fill(0));
//// map filter reduce
console.log([1, 2, 3, 4].map((x) => x * 2).filter((x) => x > 2).reduce((a, b) => a + b, 0));
//// flat
console.log([1, [2, [3, [4]]]].flat(Infinity), [[1, 2], [3]].flatMap((x) => x), [1, [2, [3]]].flat());
//// find
console.log([5, 12, 8].find((x) => x > 6), [5, 12].findIndex((x) => x > 20), [1, 2, 3, 4].findLast((x) => x % 2 === 1), [1, 2].findLastIndex((x) => x === 1));
//// sort
console.log([10, 9, 1].sort(), [10, 9, 1].sort((a, b) => a - b), ['b', undefined, 'a'].sort(), [3, 1, 2].toSorted(), [1, 2, 3].toReversed());
//// sort stable
console.log([{ n: 'a', v: 1 }, { n: 'b', v: 0 }, { n: 'c', v: 1 }].sort((x, y) => x.v - y.v).map((x) => x.n).join(''));
//// splice
const s = [1, 2, 3, 4, 5]; console.log(s.splice(1, 2, 9, 9, 9), s, s.toSpliced(0, 1), s.with(0, 7));
//// slice at
console.log([1, 2, 3].slice(-2), [1, 2, 3].at(-1), [1, 2, 3].indexOf(2), [NaN].includes(NaN), [NaN].indexOf(NaN));
//// every some
console.log([1, 2].every((x) => x > 0), [].every(() => false), [1, 2].some((x) => x > 1));
//// from
console.log(Array.from('abc'), Array.from({ length: 3 }, (_, i) => i * i), Array.from(new Set([1, 1, 2])), Array.of(7, 8));
//// spread
console.log([...[1, 2], ...'ab', ...new Set([3])], Math.max(...[1, 5, 2]));
//// destructuring
const [a, , b = 5, ...rest] = [1, 2, undefined, 4, 5]; console.log(a, b, rest);
//// swap
let x = 1, y = 2; [x, y] = [y, x]; console.log(x, y);
//// entries
for (const [i, v] of ['a', 'b'].entries()) console.log(i, v);
console.log([...['x', 'y'].keys()], [...['x'].values()]);
//// for in
const r: string[] = []; for (const k in ['a', 'b']) r.push(k); console.log(r);
//// join
console.log([1, null, undefined, [2, 3]].join(), [1, 2].join(' - '), [].join('x') === '');
//// reduceRight
console.log(['a', 'b', 'c'].reduceRight((s, c) => s + c));
//// copyWithin fill
console.log([1, 2, 3, 4, 5].copyWithin(0, 3), [1, 2, 3].fill(0, 1, 2));
//// push pop
const q: number[] = []; console.log(q.push(1, 2, 3), q.pop(), q.shift(), q.unshift(9), q);
//// group
console.log(Object.groupBy([1, 2, 3, 4], (n) => n % 2 ? 'odd' : 'even'));
//// group map
console.log(Map.groupBy(['a', 'bb', 'cc'], (s) => s.length));
//// chunk
const chunk = <T>(xs: T[], n: number): T[][] => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : []; console.log(chunk([1, 2, 3, 4, 5], 2));
//// unique
console.log([...new Set([3, 1, 3, 2, 1])], [1, 2, 2].filter((v, i, all) => all.indexOf(v) === i));
//// zip
const zip = (p: any[], q: any[]) => p.map((v, i) => [v, q[i]]); console.log(zip([1, 2], ['a', 'b']));
//// matrix
const mul = (p: number[][], q: number[][]) => p.map((row) => q[0].map((_, j) => row.reduce((t, v, k) => t + v * q[k][j], 0))); console.log(mul([[1, 2], [3, 4]], [[5, 6], [7, 8]]));
//// transpose
console.log([[1, 2, 3], [4, 5, 6]][0].map((_, i) => [[1, 2, 3], [4, 5, 6]].map((row) => row[i])));
//// ten
console.log(Array.from({ length: 10 }, (_, i) => i));
//// thirty
console.log(Array.from({ length: 30 }, (_, i) => i));
//// hundred and more
console.log(Array.from({ length: 120 }, (_, i) => i));
//// words in columns
console.log(['apple', 'banana', 'cherry', 'date', 'elderberry', 'fig', 'grape', 'honeydew', 'kiwi', 'lemon']);
//// long strings
console.log(['a'.repeat(40), 'b'.repeat(40)], ['short', 'c'.repeat(80)]);
//// array with properties
const p: any = [1, 2]; p.name = 'x'; p[-1] = 'neg'; console.log(p);
//// length
const l = [1, 2, 3]; l.length = 1; console.log(l, l.length);
//// isArray
console.log(Array.isArray([]), Array.isArray({ length: 0 }), [] instanceof Array);
//// nested objects
console.log([{ id: 1, tags: ['a', 'b'], meta: { deep: { deeper: { deepest: 1 } } } }]);
//// lots of objects
console.log([{ id: 1, name: 'first item' }, { id: 2, name: 'second item' }, { id: 3, name: 'third item' }]);
//// binary search
const bs = (xs: number[], t: number) => { let lo = 0, hi = xs.length - 1; while (lo <= hi) { const mid = (lo + hi) >> 1; if (xs[mid] === t) return mid; if (xs[mid] < t) lo = mid + 1; else hi = mid - 1; } return -1; }; console.log(bs([1, 3, 5, 7, 9], 7), bs([1, 3], 2));
//// quicksort
const qs = (xs: number[]): number[] => xs.length < 2 ? xs : [...qs(xs.slice(1).filter((v) => v < xs[0])), xs[0], ...qs(xs.slice(1).filter((v) => v >= xs[0]))]; console.log(qs([3, 6, 1, 8, 2, 9, 2]));
//// negative and floats
console.log([-1, 0.5, 100, -200.25, 3, 4, 5, 6, 7], [1n, 2n, 300n, 4n, 5n, 6n, 7n]);
//// mixed seven
console.log([1, 'two', 3, 'four', 5, 'six', 7]);
