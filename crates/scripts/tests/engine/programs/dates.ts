//// epoch
const d = new Date(0); console.log(d, d.getTime(), d.toISOString(), d.toJSON(), +d);
//// utc parts
const u = new Date(Date.UTC(2024, 1, 29, 13, 5, 9, 7)); console.log(u.getUTCFullYear(), u.getUTCMonth(), u.getUTCDate(), u.getUTCDay(), u.getUTCHours(), u.getUTCMinutes(), u.getUTCSeconds(), u.getUTCMilliseconds());
//// parse
console.log(Date.parse('2024-05-06'), Date.parse('2024-05-06T07:08:09Z'), Date.parse('2024-05-06T07:08:09+02:00'), Date.parse('2024-05-06T07:08:09.123Z'), Date.parse('nonsense'));
//// local parse
console.log(Date.parse('2024-05-06T07:08:09'), new Date(2024, 4, 6).getTime(), new Date('2024/05/06').getTime(), new Date('May 6, 2024 10:00').getTime());
//// invalid
const bad = new Date('x'); console.log(bad, isNaN(bad.getTime()), String(bad)); try { bad.toISOString(); } catch (e: any) { console.log(e.name); }
//// arithmetic
const a = new Date('2024-03-01'), b = new Date('2024-02-01'); console.log((+a - +b) / 86400000, new Date(+b + 86400000 * 30).toISOString().slice(0, 10));
//// overflow
console.log(new Date(2024, 12, 1).getFullYear(), new Date(Date.UTC(2023, 1, 29)).toISOString(), new Date(2024, 0, 0).getDate());
//// setters
const s = new Date(0); s.setUTCFullYear(2020); s.setUTCMonth(13); s.setUTCHours(25); console.log(s.toISOString());
//// strings
const t = new Date(Date.UTC(2024, 6, 4, 15, 30)); console.log(t.toString(), t.toDateString(), t.toUTCString(), t.toTimeString());
//// locale
console.log(new Date(Date.UTC(2024, 6, 4, 15, 30, 5)).toLocaleDateString('en-US'), new Date(Date.UTC(2024, 6, 4)).toLocaleDateString());
//// compare
const x = new Date(5), y = new Date(5); console.log(x === y, +x === +y, x < new Date(6), [new Date(2), new Date(1)].sort((p, q) => +p - +q));
//// weekday
const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']; console.log(['2024-01-01', '2000-02-29', '1970-01-01'].map((v) => names[new Date(v).getUTCDay()]));
//// leap
const leap = (yr: number) => new Date(Date.UTC(yr, 1, 29)).getUTCMonth() === 1; console.log([1900, 2000, 2023, 2024].filter(leap));
//// days in month
console.log(Array.from({ length: 12 }, (_, m) => new Date(2023, m + 1, 0).getDate()));
//// age
const age = (born: string, on: string) => { const p = new Date(born), q = new Date(on); return q.getUTCFullYear() - p.getUTCFullYear() - (q.toISOString().slice(5, 10) < p.toISOString().slice(5, 10) ? 1 : 0); }; console.log(age('1990-06-15', '2024-06-14'), age('1990-06-15', '2024-06-15'));
//// relative
const rel = (ms: number) => { const units: [number, string][] = [[86400000, 'day'], [3600000, 'hour'], [60000, 'minute']]; for (const [n, w] of units) if (ms >= n) { const k = Math.floor(ms / n); return `${k} ${w}${k > 1 ? 's' : ''} ago`; } return 'just now'; }; console.log(rel(90000000), rel(7200000), rel(61000), rel(5));
//// iso week
const week = (v: string) => { const q = new Date(v); q.setUTCDate(q.getUTCDate() + 4 - (q.getUTCDay() || 7)); return Math.ceil(((+q - Date.UTC(q.getUTCFullYear(), 0, 1)) / 86400000 + 1) / 7); }; console.log(week('2024-01-01'), week('2021-01-03'), week('2020-12-31'));
//// now
console.log(typeof Date.now(), Math.abs(Date.now() - +new Date()) < 1000, new Date() instanceof Date);
//// in objects
console.log({ at: new Date(1e12) }, [new Date(86400000)], JSON.stringify({ at: new Date(0) }));
//// duration
const fmt = (sec: number) => [sec / 3600, sec / 60 % 60, sec % 60].map((v) => String(Math.floor(v)).padStart(2, '0')).join(':'); console.log(fmt(3661), fmt(59), fmt(86399));
//// offset
console.log(new Date(2024, 0, 1).getTimezoneOffset(), new Date(2024, 6, 1, 12).getHours());
//// extremes
console.log(new Date(8.64e15).toISOString(), new Date(8.64e15 + 1).getTime(), new Date(-1).toISOString(), new Date(-62198755200000).toISOString());
//// typeof call
console.log(typeof Date(), Date.length, Date.UTC(2000, 0));
//// range
const days: string[] = []; for (let q = new Date('2024-02-27'); q <= new Date('2024-03-02'); q.setUTCDate(q.getUTCDate() + 1)) days.push(q.toISOString().slice(5, 10)); console.log(days);
