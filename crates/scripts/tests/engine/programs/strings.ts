//// template
const name = 'Ana', n = 3; console.log(`${name} has ${n} item${n === 1 ? '' : 's'}, ${`nested ${n + 1}`}`);
//// tagged
const tag = (s: TemplateStringsArray, ...v: any[]) => s.raw.join('|') + v.join(','); console.log(tag`a${1}b\n${2}c`);
//// raw
console.log(String.raw`C:\new\table${1}`);
//// pad
console.log('7'.padStart(3, '0'), 'ab'.padEnd(5, '-') + '|', 'abc'.padStart(2));
//// split join
console.log('a,b,,c'.split(','), 'abc'.split(''), 'a1b2c3'.split(/\d/), 'x'.split(''), 'a b  c'.split(/\s+/));
//// replace
console.log('aXbX'.replace('X', '-'), 'aXbX'.replaceAll('X', '-'), 'hello world'.replace(/(\w+) (\w+)/, '$2 $1'), 'abc'.replace(/./g, (c) => c.toUpperCase() + '.'));
//// match
console.log('2024-01-15'.match(/(\d+)-(\d+)-(\d+)/)!.slice(1), 'aaa'.match(/a/g), 'x'.match(/y/));
//// matchAll
console.log([...'a1b22c333'.matchAll(/[a-z](\d+)/g)].map((m) => [m[1], m.index]));
//// named groups
const m = /(?<y>\d{4})-(?<m>\d\d)/.exec('on 2024-05-06')!; console.log(m.groups!.y, m.groups!.m, m.index);
//// case
console.log('Straße'.toUpperCase(), 'ÀÉ'.toLowerCase(), 'title case here'.replace(/\b\w/g, (c) => c.toUpperCase()));
//// slice
console.log('hello'.slice(-3), 'hello'.slice(1, 3), 'hello'.substring(3, 1), 'hello'.at(-1), 'hello'.charAt(9) === '');
//// search
console.log('hello'.indexOf('l'), 'hello'.lastIndexOf('l'), 'hello'.includes('ell'), 'hello'.startsWith('he'), 'hello'.endsWith('lo'), 'hello'.search(/l/));
//// trim
console.log(['  a '.trim(), '  a '.trimStart(), '  a '.trimEnd()]);
//// repeat
console.log('ab'.repeat(3), '-'.repeat(0) === '', '='.repeat(10));
//// unicode
console.log('😀'.length, [...'😀é'].length, '😀'.codePointAt(0), String.fromCodePoint(128512), 'é'.normalize('NFD').length);
//// char codes
console.log('ABC'.charCodeAt(1), String.fromCharCode(72, 105), [...'abc'].map((c) => c.charCodeAt(0)));
//// compare
console.log(['b', 'a', 'C'].sort(), ['b', 'a', 'c'].sort((x, y) => x.localeCompare(y)), 'a'.localeCompare('b'));
//// escape
console.log(JSON.stringify('quote " back \\ tab \t nul \0 é 😀'), encodeURIComponent('a b&c=é/'), decodeURIComponent('%E2%82%AC'), encodeURI('http://x/a b?c=é'));
//// well formed
console.log('ab'.isWellFormed(), 'a\ud800'.isWellFormed(), 'a\ud800'.toWellFormed() === 'a\ufffd');
//// word count
const text = 'the quick brown the lazy dog the end'; const counts: Record<string, number> = {}; for (const w of text.split(' ')) counts[w] = (counts[w] ?? 0) + 1; console.log(counts);
//// slug
console.log('Hello, World! Ünïcode'.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''));
//// camel
console.log('some_snake_case'.replace(/_(\w)/g, (_, c) => c.toUpperCase()), 'someCamelCase'.replace(/[A-Z]/g, (c) => '_' + c.toLowerCase()));
//// reverse
console.log([...'palindrome'].reverse().join(''), 'level' === [...'level'].reverse().join(''));
//// caesar
console.log('Hello'.replace(/[a-z]/gi, (c) => { const b = c <= 'Z' ? 65 : 97; return String.fromCharCode((c.charCodeAt(0) - b + 3) % 26 + b); }));
//// lines
const csv = 'name,age\nAna,30\nBo,25'; const [head, ...rows] = csv.split('\n').map((l) => l.split(',')); console.log(rows.map((r) => Object.fromEntries(head.map((h, i) => [h, r[i]]))));
//// wrap
const words = 'one two three four five six'.split(' '); let line = ''; const out: string[] = []; for (const w of words) { if ((line + ' ' + w).trim().length > 10) { out.push(line); line = w; } else line = (line + ' ' + w).trim(); } out.push(line); console.log(out);
//// concat
console.log('a'.concat('b', 1 as any, null as any), 'abc'[1], ('abc' as any)[5]);
//// levenshtein
const lev = (a: string, b: string): number => { const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array(b.length).fill(0)]); for (let j = 0; j <= b.length; j++) d[0][j] = j; for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)); return d[a.length][b.length]; }; console.log(lev('kitten', 'sitting'), lev('', 'abc'));
