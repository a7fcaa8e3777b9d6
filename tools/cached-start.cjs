// Becomes the `main.js` of a service or the command line: runs `program.js` beside it from what V8 compiled of it when it was built
// (`program.js.cache`), which spares more than a third of the time that loading takes. Another version of V8 refuses the cache
// and compiles as ever. To be replaced by `module.enableCompileCache()` once every Node.js that we run on has it (22.1).
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'program.js');
const cacheFile = `${filename}.cache`;
const [before, after] = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
const script = new Script(before + readFileSync(filename, 'utf8') + after, {
  filename,
  columnOffset: -before.length,
  ...(existsSync(cacheFile) && { cachedData: readFileSync(cacheFile) }),
});
module.exports = { script, cacheFile };
const program = { exports: {} };
script.runInThisContext()(program.exports, require, program, filename, __dirname);
