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
  /** Faults that its servers may log, or end with. */
  logs?: RegExp;
  /**
   * Breaks things; returns what it saw, or throws what was not as expected. Servers that it leaves running are stopped. None of its
   * servers, whoever stopped or killed them, may have logged another fault or ended with another code than 0.
   */
  run(world: World): Promise<string>;
};
