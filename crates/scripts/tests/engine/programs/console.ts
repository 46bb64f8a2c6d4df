//// format
console.log('%s is %d years and %i, %f', 'Ana', 30.5, 42.9, 1.25, 'extra', { a: 1 }); console.log('%o %O %j', [1], { a: { b: {} } }, { c: 1 }); console.log('100%', 5, '%s'); console.log('%%s %s', 'x'); console.log('%c styled', 'color: red');
//// format values
console.log('%s %s %s %s', null, undefined, 1n, Symbol('q')); console.log('%s', { a: 1, b: { c: 2 } }, [1, 2]); console.log('%d', '42', '%d'); console.log('a%', 'b');
//// levels
console.info('info'); console.debug('debug'); console.error('not here'); console.warn('nor here'); console.log();
//// group
console.log('a'); console.group('G'); console.log('b\nc'); console.group(); console.log({ x: 1 }); console.groupEnd(); console.groupEnd(); console.log('d');
//// table
console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]);
//// table of values
console.table(['p', 'q']); console.table([[1, 2], [3, 4]]); console.table({ r1: { v: 1 }, r2: { v: 2 } }); console.table(5);
//// count
console.count(); console.count('x'); console.count(); console.countReset(); console.count();
//// dir
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 }); console.dir([1]); console.dir({ a: { b: { c: { d: 1 } } } }, { depth: null });
//// depth
console.log({ a: { b: { c: { d: { e: 1 } } } } }, [[[[[1]]]]], { a: [{ b: [{ c: 1 }] }] });
//// empty values
console.log('', [''], { e: '' }, ' ', []);
//// assert
console.assert(true); console.log('ok');
//// many values
console.log(1, 'a', true, null, undefined, [1], { a: 1 }, () => 1);
//// strings in containers
console.log(['a\nb'], { s: "it's" }, new Map([["k'", `v"`]]), new Set(['x']));
//// functions
console.log(function () {}, () => {}, async () => {}, function* gen() {}, class A {}, class B extends Array {}, Math.sin, Object.assign(() => {}, { p: 1 }));
//// line width
console.log({ aaaaaaaaaa: 'bbbbbbbbbbbbbbbbbb', cccccccccc: 'dddddddddddddddd', ee: 1 }); console.log({ aaaaaaaaaa: 'bbbbbbbbbbbbbbbbbb', cccccccccc: 'dddddddddddddddddd', ee: 1 }); console.log({ aaaaaaaaaa: 'bbbbbbbbbbbbbbbbbb', cccccccccc: 'ddddddddddddddddddddddd', ee: 12345 });
//// long array of strings
console.log(Array.from({ length: 20 }, (_, i) => 'item' + i));
//// uneven strings
console.log(['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg', 'hhhhhhhh', 'iiiiiiiii', 'jjjjjjjjjj', 'k']);
//// objects in arrays
console.log(Array.from({ length: 8 }, (_, i) => ({ id: i, label: `label ${i}` })));
//// nested arrays
console.log([[1, 2, [3, 4]], [[5], [6]], []], Array.from({ length: 3 }, () => [0, 0, 0]));
//// numbers aligned
console.log([1, 22, 333, 4444, 55555, 666666, 7777777, 1, 2, 3]);
//// floats
console.log([0.1, 22.25, -3, 4.5, 1e10, 6, 7.125, 0]);
//// booleans
console.log([true, false, true, true, false, false, true, true], [null, undefined, null, undefined, null, null, null]);
//// wide characters
console.log(['日本', '中国', '한국', 'abc', '😀', 'é', 'long one', 'x'], { '日本': 1, 'ünï': 2 });
//// keys
console.log({ a1: 1, 'a-1': 2, '1a': 3, $x: 4, _y: 5, 'with space': 6, 'é': 7, '': 8 });
//// write
process.stdout.write('no newline'); process.stdout.write('\nthen one\n');
//// symbols description
console.log({ s: Symbol('a b') }, [Symbol()], Symbol.for('x').toString());
//// getter setter objects
console.log({ get a() { return 1; } }, { set b(v: any) {} }, { get c() { return 1; }, set c(v) {} });
//// class instances
class P { x = 1; } class Q extends P { y = [1, 2]; } class Empty {} console.log(new P(), new Q(), new Empty(), [new Empty()], { p: new P() }); console.log(Object.create(P.prototype), Object.create(Object.create(null)) !== null);
//// tagged
class T { get [Symbol.toStringTag]() { return 'Tag'; } a = 1; } console.log(new T(), { [Symbol.toStringTag]: 'Own', b: 2 });
//// iterators
console.log(typeof [1].values().next, [...new Map([[1, 2]]).keys()]);
//// custom inspect
console.log({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'custom!' }, [{ [Symbol.for('nodejs.util.inspect.custom')]() { return { shown: 1 }; } }]);
//// circular lists
const a: any[] = [1]; a.push(a); const b: any = { a }; b.b = b; console.log(a, b); const m: any = new Map(); m.set('m', m); console.log(m);
//// same object twice
const sh = { v: 1 }; console.log([sh, sh], { x: sh, y: sh });
//// globalThis members
console.log(typeof globalThis, typeof console.log, typeof process.argv, process.argv.length, process.platform);
