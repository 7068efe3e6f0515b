// The last line of .ci/run: what vitest, Playwright and the faults counted, plus one for a step that failed without counting.
import fs from 'node:fs';

const read = (name) => {
  const file = `test-results/${process.env.TEST_RUN}/${name}.json`;
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
};
const unit = read('unit');
const journeys = read('e2e');
const faults = read('faults');
const passed = (unit?.numPassedTests ?? 0) + (journeys?.stats.expected ?? 0) + (faults?.passed ?? 0);
const failed =
  (unit?.numFailedTests ?? 0) +
  (unit?.numFailedTestSuites && !unit.numFailedTests ? 1 : 0) +
  (journeys?.stats.unexpected ?? 0) +
  (faults?.failed ?? 0);
const status = Number(process.argv[2] ?? 0);
console.log(`${passed} passed, ${status !== 0 && failed === 0 ? 1 : failed} failed`);
