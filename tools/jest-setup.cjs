// Runs before the specs of a file: their time limits grow with the machine's load (TIME_SCALE, from tools/test.mjs), so that a limit
// says "this hangs" and not "this machine is busy".
const scale = Number(process.env.TIME_SCALE ?? 1);

if (scale !== 1) {
  const scaled = (fn) => {
    const wrapped = (...args) => {
      const last = args.at(-1);
      return typeof last === 'number' ? fn(...args.slice(0, -1), last * scale) : fn(...args);
    };
    for (const name of Object.keys(fn)) wrapped[name] = fn[name];
    return wrapped;
  };
  for (const name of ['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'test', 'it'])
    globalThis[name] = scaled(globalThis[name]);
  const setTimeoutUnscaled = jest.setTimeout;
  jest.setTimeout = (timeoutMs) => setTimeoutUnscaled.call(jest, timeoutMs * scale);
}

// On a machine that others use too a test may meet a moment without a processor: CI tries it once more, and shows the first failure.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
