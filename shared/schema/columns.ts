import { timestamp, uuid } from 'drizzle-orm/pg-core';

/** Columns every table shares; instants are timestamptz, so that the server's zone never matters. */
export const instant = (name: string) => timestamp(name, { withTimezone: true });
export const generatedId = () => uuid('id').primaryKey().defaultRandom();
export const createdAt = () => instant('created_at').notNull().defaultNow();
export const updatedAt = () => instant('updated_at').notNull().defaultNow();
