// Writes how many tests passed and failed where tools/test.mjs can read it (COUNT_FILE).
const { writeFileSync } = require('node:fs');

module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    if (!process.env.COUNT_FILE) return;
    const broken = results.numRuntimeErrorTestSuites;
    writeFileSync(
      process.env.COUNT_FILE,
      JSON.stringify({
        passed: results.numPassedTests,
        failed: results.numFailedTests + broken,
        skipped: results.numPendingTests + results.numTodoTests,
      }),
    );
  }
};
