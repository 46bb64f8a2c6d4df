// How values look when they are printed: as Node prints them.
const LONGEST = 100;
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');
const isIdentifier = (name) => /^[a-zA-Z_][a-zA-Z_0-9]*$/.test(name);
const ESCAPES = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\', '\v': '\\v' };
const quoted = (string) => {
  const quote = !string.includes("'") ? "'" : !string.includes('"') ? '"' : !string.includes('`') && !string.includes('${') ? '`' : "'";
  let out = quote;
  for (const character of string) {
    const code = character.codePointAt(0);
    if (character === quote) out += '\\' + quote;
    else if (ESCAPES[character] !== undefined) out += ESCAPES[character];
    else if (code < 32 || (code >= 127 && code < 160)) out += '\\x' + code.toString(16).toUpperCase().padStart(2, '0');
    else if (code >= 0xd800 && code <= 0xdfff) out += '\\u' + code.toString(16).toUpperCase();
    else out += character;
  }
  return out + quote;
};
const primitive = (value) => {
  switch (typeof value) {
    case 'string': return quoted(value);
    case 'number': return Object.is(value, -0) ? '-0' : `${value}`;
    case 'bigint': return `${value}n`;
    case 'symbol': return value.toString();
    default: return `${value}`;
  }
};
const constructorName = (value) => {
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'constructor');
    if (found !== undefined && typeof found.value === 'function' && found.value.name !== '') return found.value.name;
  }
  return null;
};
const named = (name, tag, fallback, size = '') => {
  if (name === null) return `[${fallback}${size}: null prototype] `;
  return `${name}${size} ` + (tag !== '' && tag !== name ? `[${tag}] ` : '');
};
const describedFunction = (value, name, tag) => {
  const source = Function.prototype.toString.call(value);
  if (source.startsWith('class') && source.endsWith('}')) {
    let shown = `[class ${has(value, 'name') && value.name !== '' ? value.name : '(anonymous)'}`;
    if (name !== 'Function' && name !== null) shown += ` [${name}]`;
    const parent = Object.getPrototypeOf(value);
    if (parent !== null && parent.name) shown += ` extends ${parent.name}`;
    else if (parent === null) shown += ' extends null';
    return shown + ']';
  }
  const kind = name === null ? 'Function (null prototype)' : tag === '' ? 'Function' : tag;
  return `[${kind}${value.name === '' ? ' (anonymous)' : `: ${value.name}`}]`;
};
// Where in the source each line of a stack is; lines of ours are left out.
const placed = (stack) => {
  const lines = [];
  for (const line of String(stack).split('\n')) {
    const found = /^\s*at (.*?)\(?tool\.ts:(\d+)(?::(\d+))?\)?$/.exec(line);
    if (found === null) continue;
    const [row, column] = native.place(Number(found[2]), Number(found[3] ?? 1));
    const name = found[1].trim();
    lines.push(name === '' || name === '<anonymous>' ? `    at tool.ts:${row}:${column}` : `    at ${name} (tool.ts:${row}:${column})`);
  }
  return lines.join('\n');
};
const describedError = (error) => {
  const name = error.name === undefined ? 'Error' : text(error.name);
  const message = error.message === undefined ? '' : text(error.message);
  const head = message === '' ? name : name === '' ? message : `${name}: ${message}`;
  const stack = placed(error.stack);
  return stack === '' ? head : `${head}\n${stack}`;
};
const isError = (value) => value instanceof Error || tagOf(value) === '[object Error]';
const boxedKind = (value) => {
  for (const [kind, of] of [['Number', Number.prototype.valueOf], ['String', String.prototype.valueOf],
    ['Boolean', Boolean.prototype.valueOf], ['BigInt', BigInt.prototype.valueOf], ['Symbol', Symbol.prototype.valueOf]]) {
    try { return [kind, of.call(value)]; } catch { /* another kind */ }
  }
  return null;
};
const is = (getter) => (value) => { try { getter.call(value); return true; } catch { return false; } };
const isMap = is(Object.getOwnPropertyDescriptor(Map.prototype, 'size').get);
const isSet = is(Object.getOwnPropertyDescriptor(Set.prototype, 'size').get);
const isDate = is(Date.prototype.getTime);
const isBuffer = is(Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get);
const typedName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

const shownKey = (context, value, key, depth, kind) => {
  const property = Object.getOwnPropertyDescriptor(value, key) ?? { value: value[key], enumerable: true };
  let shown;
  if (property.get !== undefined) shown = property.set !== undefined ? '[Getter/Setter]' : '[Getter]';
  else if (property.set !== undefined) shown = '[Setter]';
  else {
    context.indent += kind === 'object' ? 2 : 3;
    shown = inspected(context, property.value, depth);
    context.indent -= kind === 'object' ? 2 : 3;
  }
  if (kind === 'element') return shown;
  let name = typeof key === 'symbol' ? `[${key.toString()}]` : key === '__proto__' ? "['__proto__']" : isIdentifier(key) ? key : quoted(key);
  if (property.enumerable === false) name = `[${name}]`;
  return `${name}: ${shown}`;
};

function inspected(context, value, depth, typed = false) {
  if (typeof value !== 'object' && typeof value !== 'function' || value === null) return long(context, value);
  if (typeof value[inspectCustom] === 'function' && value[inspectCustom] !== inspect) {
    const shown = value[inspectCustom](context.depth - depth, { ...context.options }, inspect);
    if (shown !== value) return typeof shown === 'string' ? shown.replaceAll('\n', `\n${' '.repeat(context.indent)}`) : inspected(context, shown, depth);
  }
  if (context.seen.includes(value)) {
    if (!context.circular.has(value)) context.circular.set(value, context.circular.size + 1);
    return `[Circular *${context.circular.get(value)}]`;
  }
  return whole(context, value, depth);
}

function long(context, value) {
  if (typeof value === 'string' && value.length > 16 && value.length > 80 - context.indent - 4 && context.compact && /\n./s.test(value)) {
    return value.split(/(?<=\n)/).map((line) => quoted(line)).join(` +\n${' '.repeat(context.indent + 2)}`);
  }
  if (typeof value === 'string' && value.length > 10000) {
    const more = value.length - 10000;
    return `${quoted(value.slice(0, 10000))}... ${more} more character${more > 1 ? 's' : ''}`;
  }
  return primitive(value);
}

function whole(context, value, depth) {
  const name = constructorName(value);
  let tag = value[Symbol.toStringTag];
  if (typeof tag !== 'string' || has(value, Symbol.toStringTag)) tag = '';
  let keys = Object.keys(value);
  const symbols = Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  let braces = ['{', '}'];
  let base = '';
  let entries = () => [];
  let list = false;
  const withKeys = () => keys.length > 0 || symbols.length > 0;
  const isEntry = (key) => { const at = Number(key); return !(at >= 0 && at < 2 ** 32 - 1 && String(at) === key); };
  if (Array.isArray(value)) {
    keys = keys.filter(isEntry);
    const prefix = name !== 'Array' || tag !== '' ? named(name, tag, 'Array', `(${value.length})`) : '';
    braces = [`${prefix}[`, ']'];
    if (value.length === 0 && !withKeys()) return `${braces[0]}]`;
    list = true;
    entries = (next) => elements(context, value, next);
  } else if (isSet(value)) {
    const prefix = named(name, tag, 'Set', `(${value.size})`);
    braces = [`${prefix}{`, '}'];
    if (value.size === 0 && !withKeys()) return `${prefix}{}`;
    entries = (next) => { context.indent += 2; const all = [...Set.prototype.values.call(value)].map((item) => inspected(context, item, next)); context.indent -= 2; return all; };
  } else if (isMap(value)) {
    const prefix = named(name, tag, 'Map', `(${value.size})`);
    braces = [`${prefix}{`, '}'];
    if (value.size === 0 && !withKeys()) return `${prefix}{}`;
    entries = (next) => { context.indent += 2; const all = [...Map.prototype.entries.call(value)].map(([key, item]) => `${inspected(context, key, next)} => ${inspected(context, item, next)}`); context.indent -= 2; return all; };
  } else if (isView(value) && typedName.call(value) !== undefined) {
    keys = keys.filter(isEntry);
    const kind = typedName.call(value);
    const prefix = named(name, tag === kind ? '' : tag, kind, `(${value.length})`);
    braces = [`${prefix}[`, ']'];
    if (value.length === 0 && !withKeys()) return `${braces[0]}]`;
    list = true;
    entries = () => {
      const shown = [];
      for (let at = 0; at < Math.min(value.length, LONGEST); at++) shown.push(primitive(value[at]));
      if (value.length > LONGEST) shown.push(moreItems(value.length - LONGEST));
      return shown;
    };
  } else if (typeof value === 'function') {
    base = describedFunction(value, name, tag);
    if (!withKeys()) return base;
  } else if (tagOf(value) === '[object Arguments]') {
    keys = keys.filter(isEntry);
    braces = ['[Arguments] [', ']'];
    list = true;
    entries = (next) => elements(context, Array.from(value), next);
  } else if (value instanceof RegExp) {
    base = RegExp.prototype.toString.call(value);
    if (name !== 'RegExp') base = `${named(name, tag, 'RegExp')}${base}`;
    if (!withKeys()) return base;
  } else if (isDate(value)) {
    base = Number.isNaN(Date.prototype.getTime.call(value)) ? Date.prototype.toString.call(value) : Date.prototype.toISOString.call(value);
    if (name !== 'Date') base = `${named(name, tag, 'Date')}${base}`;
    if (!withKeys()) return base;
  } else if (isError(value)) {
    keys = keys.filter((key) => !['name', 'message', 'stack'].includes(key));
    base = describedError(value);
    if (context.indent > 0) base = base.replaceAll('\n', `\n${' '.repeat(context.indent)}`);
    if (!base.includes('\n    at ')) base = `[${base}]`;
    if (has(value, 'cause') && !keys.includes('cause')) keys.push('cause');
    if (Array.isArray(value.errors) && !keys.includes('errors') && has(value, 'errors')) keys.push('errors');
    if (!withKeys()) return base;
  } else if (value instanceof Promise) {
    braces = [`${named(name, tag, 'Promise')}{`, '}'];
    entries = () => ['<pending>'];
  } else if (isBuffer(value)) {
    braces = [`${named(name, tag === 'ArrayBuffer' ? '' : tag, 'ArrayBuffer')}{`, '}'];
    entries = () => {
      const shown = Array.from(new Uint8Array(value, 0, Math.min(50, value.byteLength)), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
      const more = value.byteLength - 50;
      return [`[Uint8Contents]: <${shown}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`, `[byteLength]: ${value.byteLength}`];
    };
  } else if (value instanceof WeakMap || (typeof WeakSet === 'function' && value instanceof WeakSet)) {
    braces = [`${named(name, tag, 'WeakMap')}{`, '}'];
    entries = () => ['<items unknown>'];
  } else {
    const boxed = boxedKind(value);
    if (boxed !== null) {
      const [kind, inner] = boxed;
      base = `[${kind}${name === kind || name === null ? '' : ` (${name})`}: ${primitive(inner)}]`;
      if (kind === 'String') keys = keys.filter(isEntry);
      if (!withKeys()) return base;
    } else if (tag === 'Generator' || tag === 'AsyncGenerator') {
      braces = [`Object [${tag}] {`, '}'];
      if (!withKeys()) return `${braces[0]}}`;
    } else {
      const plain = name === 'Object' && tag === '';
      if (!plain) braces[0] = `${named(name, tag, 'Object')}{`;
      if (!withKeys()) return `${braces[0]}}`;
    }
  }
  if (depth > context.depth) {
    const shown = named(name, tag, 'Object').slice(0, -1);
    return Array.isArray(value) ? '[Array]' : `[${shown}]`;
  }
  context.seen.push(value);
  context.current = depth;
  const output = entries(depth + 1);
  for (const key of [...keys, ...symbols]) output.push(shownKey(context, value, key, depth + 1, 'object'));
  context.seen.pop();
  if (context.circular.has(value)) {
    const mark = `<ref *${context.circular.get(value)}>`;
    if (context.compact !== true) base = base === '' ? mark : `${mark} ${base}`;
  }
  if (context.options.sorted) output.sort();
  return joined(context, output, base, braces, list, depth, value);
}

const moreItems = (count) => `... ${count} more item${count > 1 ? 's' : ''}`;

function elements(context, value, next) {
  const shown = [];
  let at = 0;
  while (at < value.length && shown.length < LONGEST) {
    if (has(value, at)) {
      context.indent += 2;
      shown.push(inspected(context, value[at], next));
      context.indent -= 2;
      at += 1;
    } else {
      const begin = at;
      while (at < value.length && !has(value, at)) at += 1;
      shown.push(`<${at - begin} empty item${at - begin > 1 ? 's' : ''}>`);
    }
  }
  if (at < value.length) shown.push(moreItems(value.length - at));
  return shown;
}

function joined(context, output, base, braces, list, depth, value) {
  const entries = output.length;
  if (list && entries > 6) output = grouped(context, output, value);
  if (context.options.breakLength === Infinity) return `${base ? `${base} ` : ''}${braces[0]} ${output.join(', ')} ${braces[1]}`;
  // Three inner levels stay on one line, if that is short.
  if (context.current - depth < 3 && entries === output.length) {
    const start = output.length + context.indent + braces[0].length + base.length + 10;
    const length = output.reduce((sum, item) => sum + item.length, output.length + start);
    if (length <= 80 && !output.some((item) => item.includes('\n')) && !base.includes('\n')) {
      return `${base ? `${base} ` : ''}${braces[0]} ${output.join(', ')} ${braces[1]}`;
    }
  }
  const indent = `\n${' '.repeat(context.indent)}`;
  return `${base ? `${base} ` : ''}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`;
}

// Wide characters take two columns.
const widthOf = (string) => {
  let width = 0;
  for (const character of string) {
    const code = character.codePointAt(0);
    width += code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd)) ? 2 : 1;
  }
  return width;
};

// Many short items stand in columns.
function grouped(context, output, value) {
  let total = 0;
  let longest = 0;
  let count = output.length;
  if (value !== undefined && value.length > LONGEST) count -= 1;
  const lengths = [];
  for (let at = 0; at < count; at++) {
    const length = widthOf(output[at]);
    lengths.push(length);
    total += length + 2;
    longest = Math.max(longest, length);
  }
  const actual = longest + 2;
  if (actual * 3 + context.indent >= 80 || !(total / actual > 5 || longest <= 6)) return output;
  const biased = Math.max(actual - 3 - Math.sqrt(actual - total / output.length), 1);
  const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * count) / biased), Math.floor((80 - context.indent) / actual), 12, 15);
  return inColumns(output, lengths, { count, columns, value });
}

function inColumns(output, lengths, { count, columns, value }) {
  if (columns <= 1) return output;
  const rows = [];
  const widths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let at = column; at < count; at += columns) width = Math.max(width, lengths[at]);
    widths.push(width + 2);
  }
  const right = value !== undefined && Array.prototype.every.call(value, (item) => typeof item === 'number' || typeof item === 'bigint');
  for (let begin = 0; begin < count; begin += columns) {
    const end = Math.min(begin + columns, count);
    let row = '';
    let at = begin;
    for (; at < end - 1; at++) {
      const padding = ' '.repeat(widths[at - begin] - lengths[at] - 2);
      row += right ? `${padding}${output[at]}, ` : `${output[at]}, ${padding}`;
    }
    row += right ? `${' '.repeat(widths[at - begin] - 2 - lengths[at])}${output[at]}` : output[at];
    rows.push(row);
  }
  if (count < output.length) rows.push(output[count]);
  return rows;
}

function inspect(value, options = {}) {
  const depth = options.depth === null || options.depth === Infinity ? Infinity : options.depth ?? 2;
  const context = { options, depth, indent: 0, seen: [], circular: new Map(), current: 0, compact: 3 };
  return inspected(context, value, 0);
}
