/**
 * With what Node.js runs a service, wherever it runs. Most of what a request makes is garbage when it is answered: a young generation this
 * large spares a third of the processor time of a list. What V8 compiled at build holds for these flags only (tools/build-app.mjs).
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];
