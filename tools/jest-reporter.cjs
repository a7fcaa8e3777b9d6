// Jest's own report, with long failures cut, and the counts where tools/test.mjs reads them (COUNT_FOLDER).
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { DefaultReporter } = require('@jest/reporters');

const MOST_LINES = 80;

/** What differs stands at the top; of a huge difference the rest is left out and said so. */
function cut(message) {
  const lines = message.split('\n');
  if (lines.length <= MOST_LINES) return message;
  return [...lines.slice(0, MOST_LINES), `    … ${lines.length - MOST_LINES} more lines`, ''].join('\n');
}

module.exports = class Reporter extends DefaultReporter {
  onTestResult(test, result, aggregated) {
    if (result.failureMessage) result.failureMessage = cut(result.failureMessage);
    for (const each of result.testResults) each.failureMessages = each.failureMessages.map(cut);
    super.onTestResult(test, result, aggregated);
  }

  onRunComplete(contexts, results) {
    super.onRunComplete(contexts, results);
    const folder = process.env.COUNT_FOLDER;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(join(folder, `${process.env.COUNT_NAME ?? 'all'}.json`), JSON.stringify(counts));
  }
};
