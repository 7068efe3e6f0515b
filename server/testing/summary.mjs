// Last line of .ci/run: what vitest and Playwright counted, and one for a step that failed before counting.
import fs from 'node:fs';

const read = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null);
const unit = read('test-results/unit.json');
const journeys = read('test-results/e2e.json');
const passed = (unit?.numPassedTests ?? 0) + (journeys?.stats.expected ?? 0);
const failed =
  (unit?.numFailedTests ?? 0) +
  (unit?.numFailedTestSuites && !unit.numFailedTests ? 1 : 0) +
  (journeys?.stats.unexpected ?? 0);
const status = Number(process.argv[2] ?? 0);
console.log(`${passed} passed, ${status !== 0 && failed === 0 ? 1 : failed} failed`);
