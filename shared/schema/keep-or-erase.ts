import type { SQL } from 'drizzle-orm';

/** The person closing their account, and how to find their trials and their mails to us. */
export type Leaver = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  trialIdentity: string;
  supportMailbox: string;
};

/** Why something stays, and for how long. */
export type Keep = { keep: string; until: string };
type Erase<Value> = { erase: Value | SQL };
type Rows = (leaver: Leaver) => SQL;

/** The section of the account's export that shows the rows, or why none does. */
type Exported = { exported: string } | { notExported: string };

export type Handling<Row> =
  /** Nothing personal; what it holds instead. */
  | { holds: string }
  /** These rows go; `others` says why rows of other people may still name the person. */
  | ({ delete: Rows; others?: Keep } & Exported)
  /** These rows stay, and each of their columns is kept or erased. */
  | ({ rows: Rows; columns: { [Column in keyof Row]-?: Keep | Erase<Row[Column]> } } & Exported);

/** One reason for several columns. */
export const keep = <Column extends string>(reason: Keep, ...columns: Column[]) =>
  Object.fromEntries(columns.map((column) => [column, reason])) as Record<Column, Keep>;
export const erase = <Value>(to: Value) => ({ erase: to });
