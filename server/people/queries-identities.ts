import { and, asc, eq, gte, inArray, isNotNull } from 'drizzle-orm';
import { identities } from '#shared/schema/factors.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Db, first, hasChanged, violates } from '#server/platform/data/database.ts';

const i = identities;

export const ownerOf = async (db: Db, { issuer, subject }: { issuer: string; subject: string }) =>
  (
    await first(
      db
        .select({ id: i.userId })
        .from(i)
        .where(and(eq(i.issuer, issuer), eq(i.subject, subject))),
    )
  )?.id;

export const identitiesOf = (db: Db, userId: string) =>
  db.select().from(i).where(eq(i.userId, userId)).orderBy(asc(i.provider));

/** Connects an identity in the place of the person's earlier one at this provider; 409 if it is somebody else's. */
export async function setIdentity(db: Db, values: typeof i.$inferInsert): Promise<void> {
  try {
    await db
      .insert(i)
      .values(values)
      .onConflictDoUpdate({ target: [i.userId, i.provider], set: { tenant: null, ...values } });
  } catch (error) {
    if (violates(error, 'identities_subject')) throw new AppError('identity_taken', { cause: error });
    throw error;
  }
}

/** Returns which provider's it was; null if this account has none with that id. */
export const deleteIdentity = (db: Db, userId: string, id: string) =>
  first(
    db
      .delete(i)
      .where(and(eq(i.id, id), eq(i.userId, userId)))
      .returning({ provider: i.provider }),
  );

export const deleteIdentitiesSince = (db: Db, userId: string, since: Date) =>
  hasChanged(db.delete(i).where(and(eq(i.userId, userId), gte(i.createdAt, since))));

/** The Microsoft organisations of these people, by person. */
export async function tenantsOf(db: Db, userIds: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ userId: i.userId, tenant: i.tenant })
    .from(i)
    .where(and(inArray(i.userId, userIds), eq(i.provider, 'microsoft'), isNotNull(i.tenant)));
  return new Map(rows.map(({ userId, tenant }) => [userId, tenant!]));
}
