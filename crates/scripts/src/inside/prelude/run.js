// From the module to its result.
const NO_MEMORY = 'InternalError: out of memory';
const describe = (error) => {
  try {
    if (isError(error) && error.message === 'out of memory') return NO_MEMORY;
    // What the engine throws when it has no memory for an error.
    if (error === null) {
      try { new ArrayBuffer(1 << 24); } catch { return NO_MEMORY; }
      return 'Uncaught null, which also stands for memory that ran out';
    }
    return wellFormed(isError(error) ? describedError(error) : `Uncaught ${inspect(error)}`);
  } catch (wrong) {
    return wrong instanceof Error && wrong.message !== 'out of memory' ? 'Uncaught value that cannot be shown' : NO_MEMORY;
  }
};
const lost = new Map();
const rejected = (promise, reason, handled) => { if (handled) lost.delete(promise); else lost.set(promise, reason); };
const unhandled = () => { for (const reason of lost.values()) return describe(reason); return null; };
const entry = (namespace) => {
  const candidates = [namespace.default, namespace.default?.run, namespace.run, moduleOf.exports, moduleOf.exports?.default, moduleOf.exports?.run];
  return candidates.find((candidate) => typeof candidate === 'function') ?? null;
};
const toText = (value) => {
  if (value === undefined) return null;
  if (typeof value === 'string') return wellFormed(value);
  const json = stringify(value);
  return wellFormed(json === undefined ? inspect(value) : json);
};
const run = async (evaluated, namespace) => {
  try {
    await evaluated;
    const main = entry(namespace);
    if (main === null) return process.exitCode ? native.exit(process.exitCode) : ['finished', null];
    return ['returned', toText(await main(parse(argumentsText)))];
  } catch (error) {
    return ['threw', describe(error)];
  }
};
return { given, run, describe, rejected, unhandled, nextTimer, fire, deliver };
