const Sequencer = require('@jest/test-sequencer').default;

/** Specs of the whole platform first: small or large as files, each takes a minute or two, and none should be left for the end. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isWhole = ({ path }) => path.includes('/apps/e2e/');
    return [...sorted.filter(isWhole), ...sorted.filter((test) => !isWhole(test))];
  }
};
