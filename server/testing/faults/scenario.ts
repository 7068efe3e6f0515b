import type { Cluster, Database } from './postgres.ts';

export type World = {
  cluster: Cluster;
  /** Its own, on which the server has started before, unless `fromNothing`. */
  database: Database;
  /** Prints a line. */
  say(line: string): void;
  /** Fewer rounds, where there are many. */
  short: boolean;
};

export type Scenario = {
  name: string;
  expected: string;
  /** Belongs to the short form too: it is quick, and dependable on a machine busy with other work. */
  short?: true;
  /** Wants an empty database. */
  fromNothing?: true;
  /**
   * Breaks things; returns what it saw, or throws what was not as expected. Servers that it leaves running are stopped,
   * and must have logged no fault.
   */
  run(world: World): Promise<string>;
};
