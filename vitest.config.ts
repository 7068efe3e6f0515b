import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Minutes each: begun last, one of them would run on alone. */
const longest =
  /developers\/tool-check|subscriptions\/(histories|lives|not-allowed)|evidence\/(make|evidence)|seed\/practice|acts\/crash/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => Number(!longest.test(moduleId));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['{server,shared,client/src}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/run-postgres.ts'],
    reporters: ['default', ['json', { outputFile: `test-results/${process.env['TEST_RUN'] ?? 'unit'}/unit.json` }]],
    pool: 'forks',
    // Two for each of two cores: half of the time they wait for PostgreSQL.
    maxWorkers: 4,
    // A worker loads the product once for all its files; what a file makes (app, database, port) is its own.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { NODE_ENV: 'test' },
  },
});
