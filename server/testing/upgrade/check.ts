import type Stripe from 'stripe';
import type { BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { smallestChargeCents } from '#shared/rules/billing/money.ts';
import { rowsOf, type World } from './world.ts';

/** Days that somebody has paid of a tool: from the first to before the last, in Sydney. */
type Paid = { from: string; to: string; by: string };

type Bill = {
  id: string;
  kind: string;
  status: string;
  at: Date;
  lines: BillLine[];
  parts: BillPart[];
  total_cents: number;
  credit_cents: number;
  stripe_invoice_id: string | null;
};

async function all<T extends { id: string }>(
  list: (after: object) => Promise<{ data: T[]; has_more: boolean }>,
): Promise<T[]> {
  const found: T[] = [];
  for (let more = true; more;) {
    const after = found.at(-1)?.id;
    const page = await list({ limit: 100, ...(after && { starting_after: after }) });
    found.push(...page.data);
    more = page.has_more;
  }
  return found;
}

const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : (one?.id ?? ''));
const subscriptionOf = ({ parent }: Stripe.Invoice) => idOf(parent?.subscription_details?.subscription);
const dayOf = (seconds: number) => sydneyDate(new Date(seconds * 1000));

export type Findings = { counts: Record<string, number>; faults: string[] };

/** Holds everything that was charged against what was used, told and billed. */
export async function check(world: World, joinedAt: Date): Promise<Findings> {
  const { stripe } = world.context.payments;
  const invoices = await all((after) => stripe.invoices.list(after));
  const subscriptions = await all((after) => stripe.subscriptions.list({ status: 'all', ...after }));
  const bills = (await rowsOf(world, 'select * from bills')) as Bill[];
  const faults = [
    ...(await daysFaults(world, joinedAt, paidDays(invoices, subscriptions, bills))),
    ...moneyFaults(invoices, bills, joinedAt),
    ...(await toldFaults(world, bills)),
    ...(await leftovers(world, subscriptions)),
  ];
  const months = bills.filter(({ kind, status }) => kind === 'month' && status === 'paid');
  const counts = {
    payers: new Set(bills.map((bill) => JSON.stringify([bill['user_id' as keyof Bill], bill['team_id' as keyof Bill]])))
      .size,
    'invoices of the older release': invoices.filter(
      ({ created, total }) => total > 0 && created * 1000 < joinedAt.getTime(),
    ).length,
    'renewals as they were': bills.filter(({ kind, status }) => kind === 'old' && status === 'paid').length,
    'common bills': months.length,
    'lines and parts on them': months.reduce((sum, { lines, parts }) => sum + lines.length + parts.length, 0),
  };
  return { counts, faults };
}

/** By row, the days that its invoices and bills were paid for. */
function paidDays(
  invoices: Stripe.Invoice[],
  subscriptions: Stripe.Subscription[],
  bills: Bill[],
): Map<string, Paid[]> {
  const paid = new Map<string, Paid[]>();
  const add = (row: string | null | undefined, one: Paid) => {
    if (row && one.from < one.to) paid.set(row, [...(paid.get(row) ?? []), one]);
  };
  const rowOf = new Map(subscriptions.map(({ id, metadata }) => [id, metadata['rowId']]));
  for (const invoice of invoices) {
    const row = rowOf.get(subscriptionOf(invoice));
    const isTrial = invoice.total === 0 && invoice.billing_reason === 'subscription_create';
    if (!row || invoice.status !== 'paid' || isTrial) continue;
    for (const { period, parent } of invoice.lines.data)
      if (!parent?.subscription_item_details?.proration && parent?.type === 'subscription_item_details')
        add(row, { from: dayOf(period.start), to: dayOf(period.end), by: `invoice ${invoice.number ?? invoice.id}` });
  }
  for (const { kind, status, lines, parts, at } of bills) {
    if (status !== 'paid' || kind === 'old') continue;
    const by = `${kind} bill of ${sydneyDate(at)}`;
    for (const { subscriptionId, from, to } of lines) add(subscriptionId, { from, to: plusDays(to, 1), by });
    for (const { subscriptionId, from, to, person, cause } of parts)
      if (person === null && ['purchase', 'trial_end', 'join_one_bill'].includes(cause))
        add(subscriptionId, { from, to: plusDays(to, 1), by: `${by}, ${cause}` });
  }
  return paid;
}

type Row = {
  id: string;
  name: string;
  tool_id: string;
  status: string;
  end_date: Date | null;
  isFree: boolean;
  left: boolean;
};

/** What is paid twice, and what is used after the move without having been paid, or paid and not open. */
async function daysFaults(world: World, joinedAt: Date, paid: Map<string, Paid[]>): Promise<string[]> {
  const rows = (await rowsOf(
    world,
    `select s.id, u.email as name, s.tool_id, s.status, s.end_date,
       (s.free_months is not null or coalesce(u.free_access_granted or u.charges_paused, false)) as "isFree",
       exists (select 1 from audit_log a where a.subject_id = s.id::text and a.action = 'subscription.changed'
         and a.created_at >= $1 and a.after ->> 'status' in ('cancelled', 'expired')) as "left"
     from tool_subscriptions s left join teams t on t.id = s.team_id join users u on u.id = coalesce(s.user_id, t.owner_id)`,
    [joinedAt],
  )) as Row[];
  return rows.flatMap((row) => {
    const days = (paid.get(row.id) ?? []).toSorted((a, b) => (a.from < b.from ? -1 : 1));
    const what = `${row.name}, ${row.tool_id}`;
    const faults = days.slice(1).flatMap((one, index) => {
      const before = days[index]!;
      if (one.from < before.to) return [`${what}: from ${one.from} paid twice: ${before.by}, ${one.by}`];
      const isNew = one.from > sydneyDate(joinedAt);
      return one.from > before.to && isNew && !row.isFree && !row.left
        ? [`${what}: ${before.to} to ${one.from} was not charged: ${before.by}, ${one.by}`]
        : [];
    });
    const last = days.at(-1);
    const open = row.end_date && sydneyDate(row.end_date);
    if (last && row.status === 'active' && open && open !== last.to && !row.isFree)
      faults.push(`${what}: open until ${open} and paid until ${last.to}`);
    return faults;
  });
}

/** What a bill's lines and parts come to beyond its credit and its total; up to 49 cents may be carried to the next one. */
function sumFaults(bill: Bill): string[] {
  const cents = [...bill.lines, ...bill.parts].reduce((sum, one) => sum + one.cents, 0);
  const rest = cents - bill.credit_cents - bill.total_cents;
  const isCarried = bill.total_cents === 0 && rest > 0 && rest < smallestChargeCents;
  return rest === 0 || isCarried
    ? []
    : [
        `${bill.kind} bill of ${sydneyDate(bill.at)}: ${cents} cents of lines and parts, and a total of ${bill.total_cents}`,
      ];
}

/** Every bill is the sum of what it names, and every paid one has a paid invoice of that amount; every invoice since the move is a bill's. */
function moneyFaults(invoices: Stripe.Invoice[], bills: Bill[], joinedAt: Date): string[] {
  const byInvoice = new Map(bills.map((bill) => [bill.stripe_invoice_id, bill]));
  const paid = new Set(invoices.filter(({ status }) => status === 'paid').map(({ id }) => id));
  // What an older release sold has the lines that Stripe charged for it.
  const sums = bills.filter(({ kind }) => kind !== 'old').flatMap(sumFaults);
  const unbacked = bills
    .filter(
      ({ status, total_cents: cents, stripe_invoice_id: id }) => status === 'paid' && cents > 0 && !paid.has(id ?? ''),
    )
    .map(({ kind, at }) => `${kind} bill of ${sydneyDate(at)} is paid, and no invoice of it is`);
  const taken = invoices.filter(({ status, amount_paid: cents }) => status === 'paid' && cents > 0);
  const amounts = taken.flatMap((invoice) => {
    const bill = byInvoice.get(invoice.id);
    if (!bill && invoice.created * 1000 > joinedAt.getTime())
      return [`invoice ${invoice.number ?? invoice.id} is no bill’s`];
    return bill && bill.total_cents !== invoice.amount_paid
      ? [
          `${bill.kind} bill of ${sydneyDate(bill.at)}: ${bill.total_cents} cents, and ${invoice.amount_paid} were taken`,
        ]
      : [];
  });
  return [...sums, ...unbacked, ...amounts];
}

/** What was last told of a bill before it was charged. */
async function toldFaults(world: World, bills: Bill[]): Promise<string[]> {
  const faults: string[] = [];
  for (const bill of bills.filter(({ kind, status }) => kind === 'month' && status !== 'attempt')) {
    const [told] = await rowsOf(
      world,
      `select t.total_cents, t.subject from told_bills t join bills b on b.id = $1
       where t.bill_at = b.at and t.told_at <= b.at + interval '1 hour'
         and (t.user_id = b.user_id or t.team_id = b.team_id) order by t.told_at desc limit 1`,
      [bill.id],
    );
    if (told?.['total_cents'] !== bill.total_cents && bill.total_cents > 0)
      faults.push(
        `bill of ${bill.at.toISOString()}: ${bill.total_cents} cents, told ${JSON.stringify([told?.['total_cents'], told?.['subject']])}`,
      );
  }
  return faults;
}

/** What is left of the older release, and work that was not done. */
async function leftovers(world: World, subscriptions: Stripe.Subscription[]): Promise<string[]> {
  const old = subscriptions.filter(
    ({ metadata, status }) => metadata['rowId'] && !['canceled', 'incomplete_expired'].includes(status),
  );
  const rows = await rowsOf(
    world,
    `select id::text from tool_subscriptions where is_active and purchase is not null and stripe_subscription_id is not null
       and status in ('trial', 'active')`,
  );
  // The demo has one payment disputed, which waits for an administrator.
  const events = await rowsOf(
    world,
    `select id, last_error from stripe_events
     where status in ('pending', 'parked') and coalesce(last_error, '') !~ 'is disputed'`,
  );
  return [
    ...old.map(({ id, status }) => `${id} of the older release is ${status}`),
    ...rows.map(({ id }) => `row ${String(id)} has not joined a bill`),
    ...events.map((event) => `event ${String(event['id'])}: ${String(event['last_error'])}`),
    ...(await world.context.queue.failed(50)).map(({ name, error }) => `job ${name}: ${error}`),
  ];
}
