// Numbers and dates as people in the United States write them: what programs get that name no locale.
const isEnglish = (locales) => locales === undefined || [locales].flat().every((locale) => /^en(-US)?$/i.test(String(locale)));
const known = (what, locales, options, names) => {
  const unknown = Object.keys(options ?? {}).find((name) => options[name] !== undefined && !names.includes(name));
  if (!isEnglish(locales) || unknown !== undefined) {
    throw new RangeError(`${what} knows only the locale en-US${unknown === undefined ? '' : `, and not the option ${unknown}`}: format it in code`);
  }
};
const SIGNS = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', MXN: 'MX$', BRL: 'R$', CAD: 'CA$', AUD: 'A$', CNY: 'CN¥', KRW: '₩' };
const inGroups = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');
// Half away from zero, on the digits that the number is written with.
const rounded = (value, places) => {
  const shown = Math.abs(value) >= 1e21 || Math.abs(value) < 1e-6 ? value.toFixed(places) : null;
  if (shown !== null) return shown;
  let [whole, fraction = ''] = String(value).split('.');
  if (fraction.length <= places) return fraction === '' && places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
  let digits = BigInt(whole + fraction.slice(0, places));
  if (fraction[places] >= '5') digits += 1n;
  const all = String(digits).padStart(places + 1, '0');
  return places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
};
const grouped10 = (value, options) => {
  known('toLocaleString of a number', options.locales, options.of, ['minimumFractionDigits', 'maximumFractionDigits', 'style', 'currency', 'useGrouping']);
  const { style = 'decimal', currency, useGrouping = true, minimumFractionDigits, maximumFractionDigits } = options.of ?? {};
  if (!['decimal', 'percent', 'currency'].includes(style) || (style === 'currency' && SIGNS[currency] === undefined)) {
    throw new RangeError(`toLocaleString of a number does not know this style or currency: format it in code`);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
  const usual = style === 'currency' ? (['JPY', 'KRW'].includes(currency) ? [0, 0] : [2, 2]) : style === 'percent' ? [0, 0] : [0, 3];
  const least = minimumFractionDigits ?? Math.min(usual[0], maximumFractionDigits ?? usual[0]);
  const most = Math.max(least, maximumFractionDigits ?? Math.max(usual[1], least));
  if (!(least >= 0 && most <= 100)) throw new RangeError('maximumFractionDigits value is out of range.');
  const negative = value < 0 || Object.is(value, -0);
  const positive = negative ? -value : value;
  const scaled = style === 'percent' ? positive * (typeof positive === 'bigint' ? 100n : 100) : positive;
  let [whole, fraction = ''] = (typeof scaled === 'bigint' ? String(scaled) : rounded(scaled, most)).split('.');
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  const digits = (useGrouping ? inGroups(whole) : whole) + (fraction === '' ? '' : `.${fraction}`);
  return (negative ? '-' : '') + (style === 'currency' ? SIGNS[currency] : '') + digits + (style === 'percent' ? '%' : '');
};
define(Number.prototype, 'toLocaleString', function toLocaleString(locales, of) { return grouped10(Number.prototype.valueOf.call(this), { locales, of }); });
define(BigInt.prototype, 'toLocaleString', function toLocaleString(locales, of) { return grouped10(BigInt.prototype.valueOf.call(this), { locales, of }); });
const two = (number) => String(number).padStart(2, '0');
const zoned = (date, zone) => zone === 'UTC' || zone === 'GMT'
  ? { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(), hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
  : { year: date.getFullYear(), month: date.getMonth(), day: date.getDate(), hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds() };
const localDate = (what, shows) => define(Date.prototype, what, function (locales, options) {
  known(`${what} of a date`, locales, options, ['timeZone']);
  const zone = options?.timeZone;
  if (zone !== undefined && !['UTC', 'GMT'].includes(zone)) throw new RangeError(`${what} of a date knows only the time zone UTC: compute it in code`);
  if (Number.isNaN(this.getTime())) return 'Invalid Date';
  const at = zoned(this, zone);
  const date = `${at.month + 1}/${at.day}/${at.year}`;
  const time = `${at.hour % 12 || 12}:${two(at.minute)}:${two(at.second)} ${at.hour < 12 ? 'AM' : 'PM'}`;
  return shows(date, time);
});
localDate('toLocaleString', (date, time) => `${date}, ${time}`);
localDate('toLocaleDateString', (date) => date);
localDate('toLocaleTimeString', (date, time) => time);
