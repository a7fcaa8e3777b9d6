// The first thing of `npm start`: what follows does not even parse in an old Node.js. Plain enough for any version.
var required = require('../package.json').engines.node.replace('>=', '').split('.').map(Number);
var given = process.versions.node.split('.').map(Number);
var at = [0, 1, 2].find(function (each) {
  return given[each] !== required[each];
});
if (at !== undefined && given[at] < required[at]) {
  console.error('Node.js ' + required.join('.') + ' or newer is needed; this is ' + process.versions.node + '.');
  process.exit(1);
}
