import { and, isNull, like } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import type { Db } from '#server/platform/data/database.ts';

/** Where the addresses of development's demo accounts are. */
export const domain = 'demo.adviserly.example';

/** Whether anybody can sign in to one. */
export const areThere = async (db: Db): Promise<boolean> => {
  const isDemo = and(like(users.email, `%@${domain}`), isNull(users.closedAt));
  return (await db.select({ id: users.id }).from(users).where(isDemo).limit(1)).length > 0;
};
