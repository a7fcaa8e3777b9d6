// Gives jest what esbuild's `text` and `binary` loaders give the bundles (see tools/assets.mjs).
const { readFileSync } = require('node:fs');
const { createHash } = require('node:crypto');

module.exports = {
  getCacheKey: (_source, path) => createHash('sha1').update(path).update(readFileSync(path)).digest('hex'),
  process(source, path) {
    const value = path.endsWith('.ttf')
      ? `Uint8Array.from(Buffer.from(${JSON.stringify(readFileSync(path).toString('base64'))}, 'base64'))`
      : JSON.stringify(source);
    return { code: `Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = ${value};\n` };
  },
};
