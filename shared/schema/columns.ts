import { type Column, sql } from 'drizzle-orm';
import { check, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Columns every table shares; instants are timestamptz, so that the server's zone never matters. */
export const instant = (name: string) => timestamp(name, { withTimezone: true });
export const generatedId = () => uuid('id').primaryKey().defaultRandom();
export const createdAt = () => instant('created_at').notNull().defaultNow();
export const updatedAt = () => instant('updated_at').notNull().defaultNow();

/** A CHECK that the column is one of the list, so that a new entry of the list is a migration. */
export const oneOf = (name: string, column: Column, list: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(list.map((one) => `'${one}'`).join(', '))})`);
