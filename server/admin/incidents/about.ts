import { disputesKnownAs } from '#server/audit/service.ts';
import { invoicesKnownAs } from '#server/invoices/service.ts';
import { mailsById } from '#server/notifications/service.ts';
import { columnsOf, findPayersBy } from '#server/payers/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { eventsById } from '#server/tools/service.ts';
import { type Db, isUuid } from '#server/platform/data/database.ts';
import { grouped } from '#server/platform/data/together.ts';
import { subjectsOf } from '../acts/queries.ts';

/** What something is about, as far as known: a person or a team by id, a tool, a mail; how much is disputed, and until when it can be answered. */
export type About = {
  who?: string | null;
  toolId?: string | null;
  subject?: string;
  answerBy?: Date | null;
  amountCents?: number | null;
};

export const present = (values: Iterable<string | null | undefined>) => [
  ...new Set([...values].filter((value) => typeof value === 'string')),
];

const whose = ({ userId, teamId }: { userId: string | null; teamId: string | null }): About => ({
  who: teamId ?? userId,
});

/** The one that they all are. */
function only(ids: Iterable<string | null | undefined>): string | null {
  const [id, ...others] = present(ids);
  return others.length === 0 ? (id ?? null) : null;
}

/**
 * What each of these is about: ids of acts, bills, events to tools, mails, subscriptions and invoices, and Stripe's of customers,
 * subscriptions, invoices and disputes. The number of queries does not grow with that of ids.
 */
export async function aboutAll(db: Db, ids: string[]): Promise<Map<string, About>> {
  const [acts, disputes] = await Promise.all([
    subjectsOf(db, ids.filter(isUuid)),
    disputesKnownAs(
      db,
      ids.filter((id) => !isUuid(id)),
    ),
  ]);
  const keys = present([...ids, ...acts.values(), ...[...disputes.values()].map(({ invoice }) => invoice)]);
  const uuids = keys.filter(isUuid);
  const invoices = await invoicesKnownAs(db, keys);
  const [customers, subscriptions, bills, events, mails] = await Promise.all([
    findPayersBy(db, 'stripeCustomerId', keys),
    forAdministrators.subscriptionsKnownAs(
      db,
      present([...keys, ...invoices.map(({ subscriptionId }) => subscriptionId)]),
    ),
    forAdministrators.payersOfBills(db, uuids),
    eventsById(db, uuids),
    mailsById(db, uuids),
  ]);
  const known = new Map<string, About>();
  for (const [id, payer] of customers) known.set(id, whose(columnsOf(payer)));
  for (const row of bills) known.set(row.id, whose(row));
  for (const { id, userId, toolId } of events) known.set(id, { who: userId, toolId });
  for (const { id, userId, subject } of mails) known.set(id, { who: userId, subject });
  for (const row of subscriptions) known.set(row.id, { ...whose(row), toolId: row.toolId });
  // A payer's subscription at Stripe bills all of their tools.
  for (const [id, rows] of grouped(subscriptions, ({ stripeSubscriptionId }) => stripeSubscriptionId ?? ''))
    known.set(id, { ...whose(rows[0]!), toolId: only(rows.map(({ toolId }) => toolId)) });
  for (const row of invoices) {
    const toolId = known.get(row.subscriptionId ?? '')?.toolId ?? only(row.lines.map((line) => line.toolId));
    for (const id of [row.id, row.stripeInvoiceId]) known.set(id, { ...whose(row), toolId });
  }
  for (const [id, subject] of acts) known.set(id, known.get(subject) ?? { who: subject });
  for (const [id, { who, invoice, answerBy, amountCents }] of disputes)
    known.set(id, { who, answerBy, amountCents, ...known.get(invoice ?? '') });
  return known;
}
