import type Stripe from 'stripe';
import { monthCentsOf, priceAt } from '#shared/rules/billing/bill.ts';
import { businessZone, calendarDays, monthsText, plus, plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { graceMs } from '#shared/rules/billing/subscriptions.ts';
import { cheapest } from '#shared/rules/billing/win-back.ts';
import { packYears } from '#shared/rules/record/evidence.ts';
import { toolName } from '#server/catalogue/service.ts';
import { columnsOf, type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import { heading, type MailSubject, mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { BillRecord } from '../bill/queries-bills.ts';
import { comebackTo } from '../buy/win-back-offers.ts';
import { billOfEndedAccess } from '../bill/read.ts';
import { slotsOf, type SubscriptionRow } from '../queries.ts';
import { membersGet, membersLose } from './members.ts';
import { type Tell, tell, type Telling, tellingFor } from './tell.ts';
import { cannotPay, listed, numberText, ofRefused, on, refused, tableOf, toolsText, upper } from './words.ts';

type Row = SubscriptionRow;

/** Tells in the caller's transaction, where there is something to say. */
async function tellPayer(inside: Context, payer: Payer, what: (telling: Telling) => Tell | null): Promise<void> {
  const telling = await tellingFor(inside, payer);
  const told = what(telling);
  if (told) await tell(telling, told);
}

type TellOf = (telling: Telling, product: string, tool: string) => Tell;

/** Tells of a subscription, and answers the tool's name; `product` also says for whom it is paid. */
export async function tellOf(inside: Context, row: Row, what: TellOf): Promise<string> {
  const tool = await toolName(inside.db, row.toolId);
  await tellPayer(inside, payerOf(row), (telling) => what(telling, `${tool}${telling.words.whose}`, tool));
  return tool;
}

export async function tellTrialStarted(inside: Context, row: Row): Promise<void> {
  const name = await tellOf(inside, row, ({ forecast, input, words }, product, tool) => {
    const message = `Your free trial of ${product} runs until ${on(row.trialEndDate)}.`;
    const own = input.rows.find(({ id }) => id === row.id);
    const goesOn = own && !forecast.endings.some(({ subscriptionId }) => subscriptionId === row.id);
    const price = goesOn && formatCents(priceAt(own, input, row.trialEndDate!).totalCents);
    const then = price
      ? ` It then costs ${price} a month, GST included. To pay nothing for it, open ${words.toolsTab} and choose Cancel before that day.`
      : '';
    return {
      key: `subscription:${row.id}:trial-started`,
      title: `Free trial started: ${product}`,
      message,
      kind: 'trial-started',
      subject: words.whose
        ? mailSubject`Free until ${on(row.trialEndDate)}${words.whose}`
        : mailSubject`${tool}: free until ${on(row.trialEndDate)}`,
      says: [`Nothing is charged today. ${message}${then}`],
      coming: 'add',
    };
  });
  await membersGet(inside, payerOf(row), row.id, [{ ...row, toolName: name }], row.trialEndDate);
}

/** A tool that costs nothing. */
export async function tellStarted(inside: Context, row: Row): Promise<void> {
  const name = await tellOf(inside, row, ({ forecast: { bill, endings }, words }, product, tool) => ({
    key: `subscription:${row.id}:started`,
    title: `Subscription started: ${product}`,
    message: `Your subscription to ${product} is active. It costs nothing.`,
    ...(words.whose === '' && {
      says: [
        `Your subscription to ${product} is active. It costs nothing, and no card is needed.`,
        `Open it from your dashboard. It opens in a new window, and you’re signed in already.`,
      ],
    }),
    kind: 'subscription-started',
    ...(words.whose === '' && { link: { actionUrl: '/dashboard', actionLabel: 'Open your tools' } }),
    subject: mailSubject`You now have ${tool}${words.whose}`,
    coming: bill || endings.length > 0 ? 'add' : 'said',
  }));
  await membersGet(inside, payerOf(row), row.id, [{ ...row, toolName: name }]);
}

type Paid = { recovered: boolean; invoice: Pick<Stripe.Invoice, 'number' | 'status_transitions'> };

/** A receipt; `recovered`: the bill was in grace. A month that cost nothing needs none. */
export async function tellPaid(inside: Context, bill: BillRecord, { recovered, invoice }: Paid): Promise<void> {
  const { number, status_transitions: when } = invoice;
  const { id, kind, totalCents, creditCents } = bill;
  const isPurchase = kind === 'first' || kind === 'tool';
  await tellPayer(inside, payerOf(bill), ({ words, forecast, now }) => {
    if (totalCents === 0 && creditCents === 0 && !isPurchase) return null;
    const [amount, tools] = [formatCents(totalCents), toolsText(bill)];
    const what = `${amount} for ${tools}${words.whose}`;
    const whose = words.whose || ` for ${tools}`;
    const charged = words.card && totalCents > 0 ? `, charged to ${words.card}` : '';
    return {
      key: `paid:${id}`,
      title: recovered
        ? `Payment received: ${what}`
        : isPurchase
          ? `Subscription started: ${tools}${words.whose}`
          : `Receipt: ${what}`,
      message:
        totalCents > 0
          ? `We’ve received ${what} on ${on(when.paid_at ? new Date(when.paid_at * 1000) : now)}${charged}.`
          : `Nothing is due today for ${tools}${words.whose}.`,
      link: words.billing,
      kind: recovered ? 'payment-recovered' : 'receipt',
      subject: recovered ? mailSubject`Payment received: ${amount}${whose}` : mailSubject`Receipt: ${amount}${whose}`,
      table: tableOf(bill, { months: forecast.bill?.lines ?? bill.lines }),
      after: [`${number === null ? 'The tax invoice' : `Tax invoice ${number}`} is on ${words.billingTab}, as a PDF.`],
      coming: 'add',
    };
  });
  const bought = new Set([...bill.lines, ...bill.parts].map(({ toolId }) => toolId));
  const slots = isPurchase ? await slotsOf(inside.db, payerOf(bill)) : [];
  await membersGet(
    inside,
    payerOf(bill),
    id,
    slots.filter(({ toolId }) => bought.has(toolId)),
  );
}

type Unpaid = { due: string; until: string; needsAction: boolean; stage: number; whose: string };

function unpaidSubject({ due, until, needsAction, stage, whose }: Unpaid): MailSubject {
  if (stage > 0)
    return mailSubject`${stage === 6 ? 'Last reminder' : 'Reminder'}: pay ${due}${whose || ` by ${until}`}`;
  if (whose) return mailSubject`Action needed: ${needsAction ? 'confirm' : 'pay'} ${due}${whose}`;
  const own = needsAction ? mailSubject`Action needed: confirm your ${due} payment` : null;
  return own ?? mailSubject`Action needed: ${due} wasn’t paid`;
}

/** The bill was not paid: told at once, and on the third and the sixth day of its grace. One sum, one button. */
export const tellUnpaid = (inside: Context, bill: BillRecord): Promise<void> =>
  tellPayer(inside, payerOf(bill), ({ words, refusals, now }) => {
    if (!bill.graceEnd) return null;
    const days = calendarDays(plus(bill.graceEnd, -graceMs), now, businessZone);
    const stage = [6, 3].find((one) => days >= one) ?? 0;
    const { dueCents = bill.totalCents, reason = '', needsAction = false } = bill.problem ?? {};
    const [due, until] = [formatCents(dueCents), on(bill.graceEnd)];
    const forbidden = cannotPay(bill.lines, refusals, { toolsTab: words.toolsTab, until });
    const canPay = forbidden.length === 0;
    const goesOn = `You keep access until ${until}. Pay by then to keep everything. Otherwise it ends, and you owe nothing.`;
    const says = [
      `${due} for ${toolsText(bill)}${words.whose} wasn’t paid. ${reason}`.trim(),
      ...(canPay ? [goesOn] : forbidden),
    ];
    return {
      key: `unpaid:${bill.id}:${stage}`,
      title: needsAction ? 'Confirm your payment' : 'Payment failed',
      message: says.join(' '),
      link: canPay ? { ...words.billing, actionLabel: `Pay ${due}` } : words.tools,
      kind: 'payment-failed',
      subject: unpaidSubject({ due, until, needsAction, stage, whose: words.whose }),
      says,
      table: tableOf(bill),
      after: [
        ...(words.card ? [`The card on file is ${words.card}.`] : []),
        `To end a tool yourself, open ${words.toolsTab} and choose Cancel.`,
      ],
    };
  });

/** A subscription that is over, with its tool's name. */
export type EndedRow = Row & { toolName: string };
/** What ended them: a bill that was not paid, the end of a trial, or else their last day. */
type EndedBy = { unpaid?: BillRecord; isTrial?: boolean };

/** Subscriptions are over: why, that nothing is owed, and what coming back would cost. */
export async function tellExpired(inside: Context, rows: readonly EndedRow[], { unpaid, isTrial }: EndedBy) {
  const [first] = rows;
  if (!first) return;
  // Members have heard already of what was cancelled, or no longer renewed.
  const news = rows.filter((row) => row.cancelledAt === null && row.autoRenew);
  if (news.length > 0) await membersLose(inside, payerOf(first), `${first.id}:expired`, news, null);
  const telling = await tellingFor(inside, payerOf(first));
  const { words, refusals } = telling;
  const names = listed(rows.map((row) => row.toolName));
  const products = `${names}${words.whose}`;
  const owed = unpaid && formatCents(unpaid.totalCents);
  const ended = owed
    ? `${owed} for ${products} wasn’t paid, so ${rows.length === 1 ? 'it has' : 'they have'} ended. You owe nothing.`
    : isTrial
      ? `Your free trial of ${products} has ended. Nothing was charged.`
      : rows.every(({ cancelledAt }) => cancelledAt !== null)
        ? `The time to reactivate ${products} is over.`
        : `Your subscription to ${products} has ended.`;
  const refusedOnes = ofRefused(rows, refusals, (tool, refusal) => `${refused(tool, refusal)}.`);
  const again = refusedOnes.length === rows.length ? refusedOnes : ['You can subscribe again at any time.'];
  const told = {
    key: `subscription:${first.id}:expired`,
    title: `Subscription ended: ${products}`,
    message: [ended, ...again].join(' '),
  };
  const subject = words.whose
    ? mailSubject`Ended${words.whose}: ${owed ?? ''} wasn’t paid`
    : mailSubject`${names} ended: ${owed ?? ''} wasn’t paid`;
  if (unpaid) await tell(telling, { ...told, kind: 'ended-unpaid', subject, table: tableOf(unpaid), coming: 'add' });
  const offers: string[] = [];
  for (const row of rows) offers.push(...(await offerFor(telling, row)));
  if (offers.length > 0)
    await tell(telling, {
      ...told,
      ...(unpaid && { key: `${told.key}:offers`, title: 'Come back for less', message: offers.join(' ') }),
      link: { ...words.tools, actionLabel: 'See the offers' },
      kind: 'win-back',
      subject: mailSubject`${names}${words.whose}: come back for less`,
      says: [ended, ...offers],
      footer: `You’re receiving this because ${rows.length === 1 ? 'a tool of yours' : 'tools of yours'} ended and your renewal reminders are on.`,
      optional: true,
    });
  else if (!unpaid) await tell(telling, told);
}

/** What coming back to it would cost. */
async function offerFor({ inside, refusals, words }: Telling, row: EndedRow): Promise<string[]> {
  const comeback = refusals(row.toolId) ? null : await comebackTo(inside, row);
  if (!comeback) return [];
  const { offers, thenCents, change } = comeback;
  const [first, best] = [offers[0]!, cheapest(offers)!];
  const all = offers.length === 2 ? 'both offers' : `all ${numberText(offers.length)} offers`;
  const longer =
    best === first
      ? ''
      : `Or get ${best.percent}% off for ${monthsText(best.months)}: ${formatCents(best.monthlyCents)} a month. `;
  return [
    `Come back${change ? ` by ${on(plusDays(sydneyDate(new Date(change.at)), -1))}` : ''} and get ${first.percent}% off ${row.toolName} for ${monthsText(first.months)}: ${formatCents(first.monthlyCents)} a month, then ${formatCents(thenCents)}. GST is included.`,
    ...(offers.length > 1 ? [`${longer}You’ll find ${all} under ${words.toolsTab}.`] : []),
  ];
}

/** The bill's invoice was voided: its month is given. */
export const tellForgiven = (inside: Context, bill: BillRecord): Promise<void> =>
  tellPayer(inside, payerOf(bill), ({ words }) => ({
    key: `forgiven:${bill.id}`,
    title: 'Nothing is owed any more',
    message: `You won’t be charged what was owed for ${toolsText(bill)}${words.whose}. Your subscription continues.`,
    link: words.billing,
  }));

/** Free access has ended where there is no bill, with this row in grace: one press buys all such tools as the first one. */
export const tellFreeEnded = (inside: Context, row: Row): Promise<void> =>
  tellPayer(inside, payerOf(row), ({ words, refusals, input }) => {
    const bill = billOfEndedAccess(input);
    if (!bill) return null;
    const until = on(row.gracePeriodEnd);
    const tools = toolsText(bill);
    const it = bill.lines.length === 1;
    const press = `${words.card ? 'Press' : 'Add a card and press'} Start paying on ${words.billingTab} by ${until} to keep ${it ? 'it' : 'them'}. Otherwise access ends on that day.`;
    const costs = `${it ? 'It costs' : 'They cost'} ${formatCents(monthCentsOf(bill))} a month, GST included, until you cancel${words.card ? `. The first month is charged to ${words.card} on the day you press it` : ''}.`;
    const forbidden = cannotPay(bill.lines, refusals, { toolsTab: words.toolsTab, until });
    const actionLabel = words.card ? 'Start paying' : 'Add a card';
    const says = [
      `${upper(tools)} ${it ? 'is' : 'are'} no longer free for you. Nothing was charged.`,
      ...(forbidden.length > 0 ? forbidden : [press, costs]),
    ];
    return {
      key: `free-ended:${row.id}:${until}`,
      title: 'Free access ended',
      message: says.join(' '),
      ...(forbidden.length === 0 && { link: { ...words.billing, actionLabel } }),
      kind: 'free-access-ended',
      subject:
        forbidden.length > 0
          ? mailSubject`Free access to ${tools} has ended`
          : mailSubject`${upper(tools)}: ${words.card ? 'start paying' : 'add a card'} by ${until}`,
      says,
      ...(!it && { table: tableOf(bill) }),
    };
  });

/** A team was closed, or an account; `last` is its last bill. */
export const tellClosed = (inside: Context, payer: Payer, last: BillRecord | null): Promise<void> =>
  tellPayer(inside, payer, ({ facts, words }) => {
    const { title, subject } = heading`${facts.teamName ?? 'Your account'} was closed`;
    const isCharged = last !== null && last.totalCents > 0;
    const to = words.card ? ` to ${words.card}` : '';
    const refundCents = Math.max(0, -sumCents(last?.parts ?? []));
    const charge = isCharged
      ? `A last ${formatCents(last.totalCents)} is charged${to}, and nothing more after it.`
      : `${refundCents > 0 ? `${formatCents(refundCents)} is refunded. ` : ''}Nothing more is charged.`;
    const { teamId } = columnsOf(payer);
    return {
      key: `closed:${payerKey(payer)}`,
      title,
      message: `${title}. ${charge}`,
      link: { actionUrl: teamId === null ? '/invoices' : `/invoices?team=${teamId}`, actionLabel: 'Open the invoices' },
      kind: 'closed',
      subject,
      ...(isCharged && { table: tableOf(last) }),
      after: [
        'You’ll find your invoices on the Invoices page for as long as the law requires.',
        ...(teamId === null ? [] : [`Its evidence packs stay on the Evidence packs page for ${packYears} years.`]),
      ],
    };
  });
