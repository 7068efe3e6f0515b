import type { Cluster, Database } from './postgres.ts';

export type World = {
  cluster: Cluster;
  /** New and empty. */
  database: Database;
  /** Prints a line. */
  say(line: string): void;
};

export type Scenario = {
  name: string;
  expected: string;
  /**
   * Breaks things; answers what it saw, or throws what was not as expected. Servers that it leaves running are stopped,
   * and must have logged no fault.
   */
  run(world: World): Promise<string>;
};
