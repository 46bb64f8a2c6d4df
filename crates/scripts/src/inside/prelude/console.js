// console, whose lines go to the parent with the result.
const formatted = (values) => {
  let out = '';
  let next = 0;
  const [first] = values;
  if (typeof first === 'string' && values.length > 1) {
    next = 1;
    out = first.replace(/%([sdifjoOc%])/g, (whole, kind) => {
      if (kind === '%') return '%';
      if (next >= values.length) return whole;
      const value = values[next++];
      switch (kind) {
        case 's': return formattedText(value);
        case 'd': return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' || typeof value === 'object' ? 'NaN' : primitive(Number(value));
        case 'i': return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' || typeof value === 'object' ? 'NaN' : primitive(parseInt(value));
        case 'f': return typeof value === 'symbol' ? 'NaN' : primitive(parseFloat(value));
        case 'j': return stringify(value) ?? 'undefined';
        case 'o': return inspect(value, { depth: 4 });
        case 'O': return inspect(value);
        default: return '';
      }
    });
  }
  for (let at = next; at < values.length; at++) {
    const value = values[at];
    out += (at > 0 ? ' ' : '') + (typeof value === 'string' ? value : inspect(value));
  }
  return out;
};
const formattedText = (value) => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return primitive(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const own = value.toString !== Object.prototype.toString && value.toString !== Error.prototype.toString && !Array.isArray(value);
  if (own && typeof value.toString === 'function' && (has(value, 'toString') || !['Date', 'Map', 'Set'].includes(constructorName(value)))) return String(value);
  return inspect(value, { depth: 0 });
};
let indentation = '';
const line = (errors, values) => {
  const shown = formatted(values);
  native.print(errors, wellFormed((indentation === '' ? shown : indentation + shown.replaceAll('\n', `\n${indentation}`)) + '\n'));
};
const counts = new Map();
const marks = new Map();
const table = (rows) => {
  if (typeof rows !== 'object' || rows === null) return inspect(rows);
  const names = [];
  let values = false;
  const entries = rows instanceof Map ? [...rows].map(([key, value], at) => [at, { Key: key, Values: value }]) : Object.entries(rows);
  const cell = (value) => typeof value === 'object' && value !== null ? inspect(value, { depth: -1 }) : primitive(value);
  const body = entries.map(([key, row]) => {
    const cells = { key: String(key), of: {}, value: undefined };
    if (typeof row === 'object' && row !== null) {
      for (const name of Object.keys(row)) {
        if (!names.includes(name)) names.push(name);
        cells.of[name] = cell(row[name]);
      }
    } else { values = true; cells.value = cell(row); }
    return cells;
  });
  const head = ['(index)', ...names, ...(values ? ['Values'] : [])];
  const lines = body.map(({ key, of, value }) => [key, ...names.map((name) => of[name] ?? ''), ...(values ? [value ?? ''] : [])]);
  const widths = head.map((name, at) => Math.max(widthOf(name), ...lines.map((cells) => widthOf(cells[at]))) + 2);
  const rule = (begin, between, end) => begin + widths.map((width) => '─'.repeat(width)).join(between) + end;
  const row = (cells) => '│' + cells.map((cell, at) => ` ${cell}${' '.repeat(widths[at] - widthOf(cell) - 1)}`).join('│') + '│';
  return [rule('┌', '┬', '┐'), row(head), rule('├', '┼', '┤'), ...lines.map(row), rule('└', '┴', '┘')].join('\n');
};
const log = (...values) => line(false, values);
const error = (...values) => line(true, values);
const group = (...values) => { if (values.length > 0) log(...values); indentation += '  '; };
const console = {
  log, info: log, debug: log, error, warn: error,
  trace: (...values) => line(true, [`Trace: ${formatted(values)}`]),
  dir: (value, options) => log(inspect(value, options)),
  dirxml: log,
  table: (rows) => log(table(rows)),
  assert: (holds, ...values) => { if (!holds) line(true, typeof values[0] === 'string' ? [`Assertion failed: ${values[0]}`, ...values.slice(1)] : ['Assertion failed', ...values]); },
  count: (label = 'default') => { counts.set(label, (counts.get(label) ?? 0) + 1); log(`${label}: ${counts.get(label)}`); },
  countReset: (label = 'default') => { counts.delete(label); },
  group, groupCollapsed: group, groupEnd: () => { indentation = indentation.slice(2); },
  time: (label = 'default') => { marks.set(label, native.elapsed()); },
  timeEnd: (label = 'default') => { if (marks.has(label)) log(`${label}: ${(native.elapsed() - marks.get(label)).toFixed(3)}ms`); marks.delete(label); },
  timeLog: (label = 'default', ...values) => { if (marks.has(label)) log(`${label}: ${(native.elapsed() - marks.get(label)).toFixed(3)}ms`, ...values); },
};
define(globalThis, 'console', console);
