// The parts of process and Bun that programs read their arguments with.
const nothing = (what) => { throw new Error(`${what}: a tool is one file without modules; it can use fetch, palanca.read and palanca.call, if its permissions name what it asks for`); };
const writer = (errors) => ({ write: (value) => { native.print(errors, typeof value === 'string' ? wellFormed(value) : native.decode(asBytes(value), false)); return true; }, isTTY: false, columns: 80 });
const argv = ['/usr/bin/node', '/tool.ts'];
const leave = (code) => native.exit(Number(code ?? process.exitCode ?? 0) | 0);
const process = {
  argv, env: {}, exitCode: undefined, exit: leave, pid: 1, platform: 'linux', arch: 'x64', version: 'v22.0.0', versions: { node: '22.0.0' },
  stdout: writer(false), stderr: writer(true),
  cwd: () => '/', uptime: () => native.elapsed() / 1e3, memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  hrtime: Object.assign((since = [0, 0]) => { const now = native.elapsed(); const nanos = Math.round((now % 1e3) * 1e6) - since[1]; const seconds = Math.floor(now / 1e3) - since[0]; return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos]; },
    { bigint: () => BigInt(Math.round(native.elapsed() * 1e6)) }),
  nextTick: (callback, ...values) => { then(Promise.resolve(), () => guarded(callback, values)); },
  on: () => process, once: () => process, off: () => process, emitWarning: (warning) => error(text(warning)),
};
Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true });
define(globalThis, 'process', process);
define(globalThis, 'Bun', {
  argv, env: process.env, main: '/tool.ts', version: '1.0.0', inspect,
  file: (path) => ({ name: text(path), text: () => read(path), json: async () => parse(await read(path)), exists: async () => { try { await read(path); return true; } catch { return false; } } }),
  sleep: (time) => new Promise((resolve) => later(resolve, time, [], false)),
});
const moduleOf = { exports: {} };
define(globalThis, 'module', moduleOf);
define(globalThis, 'exports', moduleOf.exports);
define(globalThis, 'require', Object.assign(function require(name) { nothing(`the module '${text(name)}' cannot be required`); }, { main: moduleOf }));
const performance = { now: () => native.elapsed(), timeOrigin: 0, mark() {}, measure() {} };
define(globalThis, 'performance', performance);
// The world is there before the arguments are, maybe long before.
let argumentsText = '';
const given = (text) => { argv[2] = argumentsText = text; performance.timeOrigin = Date.now(); };
define(globalThis, 'global', globalThis);
define(globalThis, 'self', globalThis);
