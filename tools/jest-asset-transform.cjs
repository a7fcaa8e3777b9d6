// Gives jest what esbuild's `text` and `file` loaders give the bundles (see tools/assets.mjs).
const { readFileSync } = require('node:fs');
const { createHash } = require('node:crypto');

// A change of this file is one of what it gives.
const own = readFileSync(__filename);

module.exports = {
  getCacheKey: (_source, path) => createHash('sha1').update(own).update(path).update(readFileSync(path)).digest('hex'),
  process(source, path) {
    const value = JSON.stringify(/\.(ttf|otf|woff2|process\.cjs)$/.test(path) ? path : source);
    return { code: `Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = ${value};\n` };
  },
};
