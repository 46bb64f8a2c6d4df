//// printing
console.log(/a+b/gi, new RegExp('x/y', 'u'), [/q/], String(/z/m));
//// flags
const r = /(\d)(?<l>[a-z])/dgimsuy; console.log(r.flags, r.source, r.global, r.sticky, r.hasIndices);
//// exec loop
const g = /(\w)(\d)/g; let m; while ((m = g.exec('a1 b2 c3'))) console.log(m[0], m.index, g.lastIndex);
//// match object
console.log('ab12'.match(/(?<letters>[a-z]+)(\d+)/));
//// lookaround
console.log('price: $42 €7'.match(/(?<=\$)\d+/)![0], 'foobar foobaz'.match(/foo(?!bar)\w+/)![0], '1234567'.replace(/\B(?=(\d{3})+(?!\d))/g, ','));
//// unicode
console.log('naïve café 日本'.match(/\p{L}+/gu), /^\p{Emoji}$/u.test('😀'), '😀'.match(/./u)![0].length, '😀'.match(/./)![0].length);
//// v flag
console.log(/^[\p{L}--[a-z]]$/v.test('a'), /^[\p{L}--[a-z]]$/v.test('É'));
//// backreference
console.log('hello'.match(/(.)\1/)![0], /(?<q>['"]).*?\k<q>/.exec(`say "it's" ok`)![0]);
//// lazy greedy
console.log('<a><b>'.match(/<.+>/)![0], '<a><b>'.match(/<.+?>/)![0], 'aaa'.match(/a{2}/)![0], 'aaa'.match(/a{1,}?/)![0]);
//// anchors
console.log('a\nb'.match(/^b$/m)![0], /^b$/.test('a\nb'), 'word boundary'.replace(/\bb/g, 'B'), /a.b/s.test('a\nb'));
//// sticky
const st = /a/y; console.log(st.test('ba'), (st.lastIndex = 1, st.test('ba')), st.lastIndex);
//// replace function
console.log('2024-05-06'.replace(/(\d+)-(\d+)-(\d+)/, (_, y, mo, d) => `${d}.${mo}.${y}`), 'a-b'.replace(/(?<x>\w)-(?<y>\w)/, '$<y>-$<x>'), 'x'.replace('x', '$$&$&'));
//// split with groups
console.log('a1b2c'.split(/(\d)/), 'one  two'.split(/ /), 'abc'.split(/(?:)/));
//// email
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/; console.log(['a@b.co', 'no', 'a@b', 'x.y@z.org'].map((s) => email.test(s)));
//// extract links
console.log('see http://a.b/c?d=1 and https://e.f.'.match(/https?:\/\/[^\s]+[^\s.,]/g));
//// extract numbers
console.log('t=-1.5e3, x=42; y=.5'.match(/-?\d*\.?\d+(?:e[+-]?\d+)?/gi)!.map(Number));
//// tokenizer
const tokens = [...'let x = 10 + y2;'.matchAll(/\s*(?:(\d+)|([a-z]\w*)|(.))/gi)].map(([, n, id, op]) => n ? ['num', n] : id ? ['id', id] : ['op', op]); console.log(tokens);
//// escape
const esc = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'); console.log(esc('a.b*c'), new RegExp(esc('a.b')).test('a.b'), new RegExp(esc('a.b')).test('axb'));
//// case insensitive
console.log(/straße/i.test('STRASSE'), /é/i.test('É'), /[a-z]/i.test('K'));
//// log parse
const line = '127.0.0.1 - - [10/Oct/2000:13:55:36] "GET /x HTTP/1.0" 200 2326'; const { groups } = /^(?<ip>\S+).*"(?<verb>\w+) (?<path>\S+).*" (?<status>\d+)/.exec(line)!; console.log({ ...groups });
//// template engine
const tpl = 'Hi {{name}}, {{ n }} new {{missing}}'; console.log(tpl.replace(/{{\s*(\w+)\s*}}/g, (_, k) => ({ name: 'Ana', n: 3 } as any)[k] ?? ''));
//// syntax error
try { new RegExp('('); } catch (e: any) { console.log(e.name); }
//// matchAll needs g
try { 'a'.matchAll(/a/); } catch (e: any) { console.log(e.name); }
//// html strip
console.log('<p>Hello <b>bold</b> &amp; more</p>'.replace(/<[^>]+>/g, '').replace('&amp;', '&'));
//// markdown headings
console.log('# A\ntext\n## B c\n'.split('\n').flatMap((l) => { const q = /^(#+)\s+(.*)$/.exec(l); return q ? [{ level: q[1].length, title: q[2] }] : []; }));
//// test lastIndex
const lt = /a/g; console.log(lt.test('aa'), lt.lastIndex, lt.test('aa'), lt.lastIndex, lt.test('aa'));
//// indices
console.log(/b(c)/d.exec('abc')!.indices![1]);
