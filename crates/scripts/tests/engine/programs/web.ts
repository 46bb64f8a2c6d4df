//// url
const u = new URL('https://user:pw@example.com:8080/a/b?x=1&y=2#frag'); console.log(u.protocol, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin, u.username, u.password); console.log(String(u), u.href, JSON.stringify({ u }));
//// relative
console.log(new URL('../c', 'http://h/a/b/').href, new URL('//other/x', 'https://h').href, new URL('?q', 'http://h/p').href, URL.canParse('nope'), URL.canParse('http://x'));
//// params
const p = new URLSearchParams('a=1&b=2&a=3'); p.append('c', 'd e&f'); p.delete('b'); p.set('a', 'z'); console.log(p.toString(), p.get('c'), p.getAll('a'), p.has('q'), [...p], p.size);
//// params object
console.log(new URLSearchParams({ q: 'é x', n: '1' }).toString(), new URLSearchParams([['a', 'b']]).get('a'), Object.fromEntries(new URLSearchParams('x=1&y=%20')));
//// search params live
const l = new URL('http://h/?a=1'); l.searchParams.set('b', 'x y'); l.searchParams.delete('a'); console.log(l.href, l.search); l.search = '?z=9'; console.log(l.searchParams.get('z'));
//// url setters
const s = new URL('http://h/p'); s.pathname = '/new path'; s.hash = 'x'; s.port = '99'; s.protocol = 'https'; console.log(s.href);
//// url normal forms
console.log(new URL('HTTP://EXAMPLE.com:80/%7Ea/../b').href, new URL('http://ñ.com').hostname, new URL('http://1.2.3').host);
//// bad url
try { new URL('nope'); } catch (e: any) { console.log(e.name, e.code, e.message); }
//// headers
const h = new Headers({ 'Content-Type': 'a/b', X: '1' }); h.append('x', '2'); console.log(h.get('CONTENT-TYPE'), h.get('x'), h.has('y'), [...h]);
//// encode
console.log(encodeURIComponent("a'b(c)!*~"), encodeURI('a?b=c d&e#f'), escape('é x'), unescape('%E9'));
//// uuid
const id = crypto.randomUUID(); console.log(id.length, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), crypto.getRandomValues(new Uint8Array(4)).length);
//// performance
const t = performance.now(); console.log(typeof t, performance.now() >= t);
//// response
const r = new Response('{"a":1}', { status: 201 }); console.log(r.status, r.ok, await r.json(), r.bodyUsed);
//// query building
const build = (base: string, q: Record<string, unknown>) => { const url = new URL(base); for (const [k, v] of Object.entries(q)) if (v != null) url.searchParams.set(k, String(v)); return url.toString(); }; console.log(build('https://api.test/v1', { q: 'a b', page: 2, none: null }));
//// text codec
console.log(new TextDecoder('utf-8', { fatal: false }).decode(new Uint8Array([255, 65])), new TextEncoder().encode('').length, new TextDecoder().encoding);
//// abort signal
const c = new AbortController(); console.log(c.signal.aborted); c.abort(new Error('stop')); console.log(c.signal.aborted, c.signal.reason.message); try { c.signal.throwIfAborted(); } catch (e: any) { console.log(e.message); }
//// hash
const djb2 = (q: string) => [...q].reduce((a, ch) => ((a << 5) + a + ch.charCodeAt(0)) | 0, 5381) >>> 0; console.log(djb2('hello'), djb2(''));
//// crc32
const crc = (q: string) => { let v = -1; for (const b of new TextEncoder().encode(q)) { v ^= b; for (let i = 0; i < 8; i++) v = (v >>> 1) ^ (0xedb88320 & -(v & 1)); } return ((v ^ -1) >>> 0).toString(16); }; console.log(crc('hello world'));
//// ip to number
const ip = (q: string) => q.split('.').reduce((a, o) => a * 256 + +o, 0); console.log(ip('192.168.1.1'), ip('255.255.255.255'));
//// color
const hex = (r1: number, g: number, b: number) => '#' + [r1, g, b].map((v) => v.toString(16).padStart(2, '0')).join(''); console.log(hex(255, 128, 0), parseInt('ff', 16));
