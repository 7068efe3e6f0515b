import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { minute, plus } from '#shared/rules/dates.ts';
import { sessions, users } from '#shared/schema/accounts.ts';
import { mailFiles, mails } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  to: mails.toAddress,
  subject: mails.subject,
  text: mails.textBody,
  html: mails.htmlBody,
  at: mails.createdAt,
};

/** The newest mails, to one address or to all. */
export const newestMails = (db: Db, to: string | null, limit: number) =>
  db
    .select(columns)
    .from(mails)
    .where(to === null ? undefined : eq(mails.toAddress, to))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit);

export const mailById = (db: Db, id: string) => first(db.select(columns).from(mails).where(eq(mails.id, id)));

/** The files of a mail, without what is in them. */
export const filesOfMail = (db: Db, mailId: string) =>
  db.select({ id: mailFiles.id, name: mailFiles.name }).from(mailFiles).where(eq(mailFiles.mailId, mailId));

export const mailFileById = (db: Db, id: string) => first(db.select().from(mailFiles).where(eq(mailFiles.id, id)));

/** When the next trial ends; null where none is running. */
export async function nextTrialEnd(db: Db, now: Date): Promise<Date | null> {
  const { status, isActive, trialEndDate } = toolSubscriptions;
  const [next] = await db
    .select({ at: trialEndDate })
    .from(toolSubscriptions)
    .where(and(eq(status, 'trial'), eq(isActive, true), gt(trialEndDate, now)))
    .orderBy(asc(trialEndDate))
    .limit(1);
  return next?.at ?? null;
}

/** Makes it look as if every session's ten minutes after its proof were over. */
export const forgetProofs = (db: Db) =>
  db.update(sessions).set({ sess: sql`(${sessions.sess}::jsonb - 'provenAt')::json` });

const checkAdvisers = [
  { email: 'isla@check.adviserly.example', firstName: 'Isla', lastName: 'Marchetti' },
  { email: 'tobias@check.adviserly.example', firstName: 'Tobias </b>"&\'', lastName: 'Okafor' },
];

/** Two advisers with free access, as whom tools are examined; returns their addresses. */
export async function addCheckAdvisers(db: Db, password: string, now: Date): Promise<string[]> {
  const profile = {
    businessName: 'Tool Check',
    businessAddress: '1 Macquarie Place',
    businessCity: 'Sydney',
    businessState: 'NSW' as const,
    businessPostcode: '2000',
    mobile: '+61412345678',
    professionalCredentials: '[]',
    specializationAreas: '[]',
    emailVerified: true,
    profileCompleted: true,
    freeAccessGranted: true,
  };
  await db
    .insert(users)
    .values(checkAdvisers.map((adviser) => ({ ...profile, ...adviser, password, createdAt: now, updatedAt: now })))
    .onConflictDoNothing();
  return checkAdvisers.map(({ email }) => email);
}

/** Makes a launch token one that ran out a minute ago. */
export const expireToken = (db: Db, hash: string, now: Date) =>
  db
    .update(authTokens)
    .set({ expiresAt: plus(now, -minute) })
    .where(eq(authTokens.token, hash));
