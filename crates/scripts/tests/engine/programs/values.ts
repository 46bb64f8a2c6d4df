//// numbers
console.log(1, -0, 0, 1.5, NaN, Infinity, -Infinity, 1e21, 1e-7, 123456789012345680000);
//// bigint
console.log(1n, 2n ** 64n, -5n / 2n, BigInt(10) * 3n, BigInt.asUintN(8, 257n));
//// strings
console.log('a', ['a', "it's", 'say "hi"', `both ' and "`], ['tab\t', 'line\n', '\u0001', '\\']);
//// booleans
console.log(true, false, !0, !!'', [] + [], [] == false);
//// undefined and null
console.log(undefined, null, [undefined, null], { a: undefined, b: null });
//// symbols
console.log(Symbol('x'), [Symbol.iterator], Symbol.for('k').description);
//// typeof
console.log(typeof 1, typeof 'a', typeof null, typeof undefined, typeof {}, typeof [], typeof (() => 1), typeof 1n, typeof Symbol());
//// number methods
console.log((12.345).toFixed(2), (0.000001234).toString(), (255).toString(16), (1e21).toLocaleString === undefined, (1234.5678).toExponential(2), (1234.5678).toPrecision(6));
//// parse
console.log(parseInt('42px'), parseFloat('3.14abc'), Number(''), Number('0x1f'), Number('12a'), parseInt('101', 2));
//// rounding
console.log(Math.round(2.5), Math.round(-2.5), Math.floor(-1.1), Math.trunc(-1.9), Math.ceil(1.1), Math.sign(-3));
//// math
console.log(Math.max(1, 5, 3), Math.min(), Math.hypot(3, 4), Math.cbrt(27), Math.log2(8), Math.clz32(1), Math.fround(5.5));
//// equality
console.log(0 === -0, Object.is(0, -0), NaN === NaN, Object.is(NaN, NaN), [1] === [1], 'a' < 'b', null >= 0, undefined == null);
//// integer checks
console.log(Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.MAX_SAFE_INTEGER, Number.EPSILON > 0, Number.MIN_VALUE);
//// bit operations
console.log(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 10, -16 >> 2, -16 >>> 28);
//// exponent
console.log(2 ** 10, (-2) ** 3, 2 ** -1, 7 % -3, -7 % 3);
//// floating
console.log(0.1 + 0.2, 0.1 * 3, 1 / 3, 100 / 3, 1e16 + 1);
//// nullish
const o: any = { a: 0, b: '' }; console.log(o.a ?? 1, o.b || 'x', o.c ?? 'none', o.d?.e?.f, o.g?.(), o?.['a']);
//// assignment operators
let a: any = null; a ??= 5; a ||= 6; a &&= 7; a **= 2; a -= 4; a <<= 1; console.log(a);
//// locale numbers
console.log((1234567.891).toLocaleString(), (1e6).toLocaleString('en-US'), (0.5).toLocaleString(), (1234.5).toLocaleString('en-US', { minimumFractionDigits: 2 }), (-9876543).toLocaleString());
//// locale currency
console.log((1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' }), (0.256).toLocaleString('en-US', { style: 'percent' }), (0.2567).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }));
//// conversions
console.log(String([1, [2, 3]]), String({}), String(null), `${[1, 2]}`, +'5' + +true, '5' * 2 as any, '3' + 4);
//// comma and void
console.log((1, 2, 3), void 0);
