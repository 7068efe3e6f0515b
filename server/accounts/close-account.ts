import type { Charge } from '#shared/api/charge.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import { toolRows } from '#server/catalogue/service.ts';
import { deleteMail } from '#server/notifications/service.ts';
import { teamPayer, userPayer } from '#server/payers/service.ts';
import { eraseCustomer } from '#server/stripe/customers.ts';
import { endEverything, holdsSubscription } from '#server/subscriptions/service.ts';
import { closedTeamsOf, leaveTeams, ownsTeam } from '#server/teams/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { leaverOf } from './leaver.ts';
import { sendClosed } from './mail.ts';
import { confirmPassword } from './password.ts';
import { eraseIdentity, isLastAdmin, lockSetup, lockSignedIn } from './queries.ts';
import { resetJob } from './reset-password.ts';

const eraseCustomerJob = 'erase-customer';
const endLateJob = 'end-late-subscriptions';
const forgetGoodbyeJob = 'forget-goodbye';

/** Seconds after which a purchase begun in another window is over. */
const lateSeconds = 60;
/** Seconds that the last mail, and with it the address, stays in the outbox. */
const goodbyeSeconds = 7 * 86_400;

/**
 * Ends the subscriptions at Stripe, then erases the person in one transaction; if Stripe does not answer, nothing is erased. An owner
 * has to hand over or close their team first, and the maker of a published tool has to ask us. The last administrator stays: without
 * one, /setup-admin would be open to anybody. Jobs erase what Stripe holds.
 */
export async function closeAccount(
  context: Context,
  actor: ActorRow,
  { password, charge }: { password: string; charge?: Charge | undefined },
) {
  await confirmPassword(context, actor, 'password', password);
  if (await ownsTeam(context.db, actor.id)) throw new AppError('owns_team');
  if (await ownsPublishedTool(context.db, actor.id)) throw new AppError('owns_tool');
  if (await isLastAdmin(context.db, actor.id)) throw new AppError('last_admin');
  await transaction(context.db, (tx) => lockSignedIn(tx, actor));
  await endEverything(context, userPayer(actor.id), charge);
  await inTransaction(context, async (inside, tx) => {
    if (actor.isAdmin) await lockSetup(tx);
    const user = await lockSignedIn(tx, actor);
    if (await ownsTeam(tx, user.id)) throw new AppError('owns_team');
    if (await ownsPublishedTool(tx, user.id)) throw new AppError('owns_tool');
    if (await isLastAdmin(tx, user.id)) throw new AppError('last_admin');
    if (await holdsSubscription(tx, userPayer(user.id))) throw new AppError('conflict');
    await leaveTeams(inside, user.id);
    await toolRows.retireDrafts(tx, user.id, context.now());
    await eraseIdentity(tx, leaverOf(user), context.now());
    const goodbye = await sendClosed(inside, user);
    await auditOwnAccount(inside, 'account.closed', user.id);
    await accessChanged(inside, { userId: user.id });
    await context.queue.send(tx, eraseCustomerJob, { userId: user.id });
    await context.queue.send(tx, endLateJob, { userId: user.id }, { startAfter: lateSeconds });
    await context.queue.send(tx, forgetGoodbyeJob, { mailId: goodbye }, { startAfter: goodbyeSeconds });
    await context.queue.forget(tx, resetJob, { email: user.email });
  });
}

/** Advisers pay for a published tool, so somebody must remain responsible for it. */
const ownsPublishedTool = async (db: Db, userId: string) =>
  (await toolRows.toolsOf(db, userId)).some(({ isActive }) => isActive);

/** Erases the person's own customer at Stripe, and those of the teams they closed. */
async function eraseCustomers(context: Context, userId: string): Promise<void> {
  const teams = await closedTeamsOf(context.db, userId);
  for (const payer of [userPayer(userId), ...teams.map(({ id }) => teamPayer(id))]) await eraseCustomer(context, payer);
}

export async function defineClosingJobs(context: Context): Promise<void> {
  const patient = { retryLimit: 10, retryDelaySeconds: 15, expireInSeconds: 120 };
  await context.queue.define<{ userId: string }>(eraseCustomerJob, patient, ({ userId }) =>
    eraseCustomers(context, userId),
  );
  await context.queue.define<{ userId: string }>(endLateJob, patient, async ({ userId }) => {
    await endEverything(context, userPayer(userId));
    // A late purchase may also have made the customer.
    await eraseCustomers(context, userId);
  });
  await context.queue.define<{ mailId: string }>(forgetGoodbyeJob, {}, ({ mailId }) => deleteMail(context.db, mailId));
}
