import type { Cluster } from './postgres.ts';

export type Scenario = {
  name: string;
  expected: string;
  /** Breaks things; answers what it saw, or throws what was not as expected. `say` prints a line. */
  run(cluster: Cluster, say: (line: string) => void): Promise<string>;
};
