import type { users } from '#shared/schema/accounts.ts';

/** The signed-in user as every handler sees it: the row, read fresh with each request, without the password. */
export type ActorRow = Omit<typeof users.$inferSelect, 'password' | 'seq'>;
