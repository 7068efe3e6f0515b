import type { Ending, Forecast, ForecastCharge } from '#shared/rules/forecast.ts';
import { formatCents } from '#shared/rules/money.ts';
import { toolRefusal } from '#shared/rules/subscriptions.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import type { PriceTold } from '#shared/schema/subscriptions.ts';
import type { MoneyMail, Notice } from '#server/notifications/service.ts';
import { type PayerWords, toolRulesFor } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Comeback } from '../purchase/win-back-offers.ts';
import type { SlotRow, SubscriptionRow } from '../queries.ts';

/** A charge for the subscription that has just come through, in cents. */
export type Payment = {
  invoiceId: string;
  cents: number;
  renewal: boolean;
  /** The first one after a trial. */
  afterTrial: boolean;
  lines: InvoiceLine[];
};

export type SubscriptionNotice = Omit<Notice, 'userId' | 'type'>;

/** What happened to a subscription, and all that its payer is told with it. */
export type StatusChange = {
  before: SubscriptionRow | null;
  row: SubscriptionRow;
  toolName: string;
  words: PayerWords;
  forecast: Forecast;
  paid: Payment | null;
  /** What the practices of whoever pays don't allow. */
  refusals: Refusals;
  /** The invoice that was owed was voided. */
  forgiven: boolean;
  /** Of what has ended: what coming back would cost. */
  comeback: Comeback | null;
};

export type NoticeText = {
  key: string;
  title: string;
  message: string;
  /** Where the notice leads; to the payer's tools where left out. */
  link?: { actionUrl: string; actionLabel: string };
  mail?: { kind: MoneyMail; subject: string; paragraphs?: string[]; optional?: true };
};

export const productOf = ({ toolName, words }: StatusChange) => toolName + words.whose;

/** The practice that doesn't allow a tool, and why. */
export type Refusal = NonNullable<ReturnType<typeof toolRefusal>>;
export type Refusals = (toolId: string) => Refusal | null;

/** What this person's practices don't allow: nobody is asked to keep that, or to pay for it. */
export async function refusalsFor(context: Context, contactId: string): Promise<Refusals> {
  const rules = await toolRulesFor(context.db, contactId);
  return (toolId) => toolRefusal(rules, toolId);
}

export const refused = (toolName: string, { teamName, reason }: Refusal) =>
  `${teamName} doesn’t allow ${toolName}${reason === null ? '' : ` (“${reason}”)`}`;

/** What they can do about it, by a day. */
export const askFirst = ({ teamName }: Refusal, day: string) =>
  `If it should stay, ${teamName} has to allow it before ${day}.`;

/** Where something is owed that nobody may pay for: the day the subscription ends. */
export const cannotPay = (toolName: string, refusal: Refusal, day: string) =>
  `${refused(toolName, refusal)}, so it can’t be paid for now: it ends on ${day}, and nothing more is charged. ${askFirst(refusal, day)}`;

/** What a month costs from that charge on, without prorations and credit. */
export const monthlyOf = ({ lines }: ForecastCharge) =>
  lines.reduce((sum, { kind, cents }) => (kind === 'price' || kind === 'discount' ? sum + cents : sum), 0);

export const signed = (cents: number) => `${cents < 0 ? '−' : ''}${formatCents(Math.abs(cents))}`;

/** In brackets, what makes the charge differ from the tool's price. */
export function partsOf({ lines: [price, ...others] }: ForecastCharge, words: PayerWords): string {
  const parts = others.map((line) => {
    const until = line.kind === 'discount' && line.endsAt ? ` until ${words.on(line.endsAt)}` : '';
    return `${line.label}${until} ${signed(line.cents)}`;
  });
  return parts.length > 0 ? ` (${formatCents(price?.cents ?? 0)}, ${parts.join(', ')})` : '';
}

export const afterwards = ({ after }: ForecastCharge, words: PayerWords) =>
  after ? ` From ${words.on(after.at)} it costs ${formatCents(after.totalCents)} a month.` : '';

/** A charge in a list of several. */
export function chargeSentence(charge: ForecastCharge, words: PayerWords, refusal: Refusal | null): string {
  const { toolName, at, reason, totalCents } = charge;
  const amount = formatCents(totalCents);
  const sum = partsOf(charge, words);
  const told =
    reason === 'trial_end'
      ? `Your free trial of ${toolName} ends on ${words.on(at)}. It then continues for ${amount} a month, charged to ${words.card ?? 'your card'}${sum}.`
      : `${toolName} renews on ${words.on(at)} for ${amount}${sum}.`;
  const cannotOpen = refusal ? ` ${refused('it', refusal)}, so it can’t be opened.` : '';
  return told + afterwards(charge, words) + cannotOpen;
}

/** `refusal` is the practice's; whoever is refused the tool is not asked to keep it. */
export function endingSentence(
  { toolName, at, reason, monthlyCents }: Ending,
  words: PayerWords,
  refusal: Refusal | null,
): string {
  switch (reason) {
    case 'trial_without_card':
      if (refusal)
        return `Your free trial of ${toolName} ends on ${words.on(at)}, and nothing is charged. ${refused('it', refusal)}, so there is nothing you have to do.`;
      return `Your free trial of ${toolName} ends on ${words.on(at)}. Add a card to keep it for ${formatCents(monthlyCents)} a month; without one it simply ends.`;
    case 'auto_renew_off':
      return `${toolName} ends on ${words.on(at)}, because auto-renew is off. Nothing more is charged for it.`;
    case 'cancelled':
      return `${toolName} was cancelled and ends on ${words.on(at)}. Nothing more is charged for it.`;
  }
}

/** A card is `wanted` where any tool that is charged is allowed. */
const noCard = (words: PayerWords, wanted: boolean) =>
  `There is no card on file${words.whose}; ${wanted ? `please add one on ${words.billingTab}` : 'what can’t be charged simply ends'}.`;

export function freeEnded(
  { toolName, paymentProblem, gracePeriodEnd }: Pick<SlotRow, 'toolName' | 'paymentProblem' | 'gracePeriodEnd'>,
  words: PayerWords,
  refusal: Refusal | null,
): string {
  const day = words.on(gracePeriodEnd);
  const over = `Free access to ${toolName} has ended; nothing was charged.`;
  if (refusal) return `${over} ${cannotPay('it', refusal, day)}`;
  const addCard = words.card ? '' : ' and add a card';
  const toCard = words.card ? `, charged to ${words.card}` : '';
  return `${over} Press Start paying under ${words.toolsTab}${addCard} by ${day} to keep it: ${formatCents(paymentProblem?.amountCents ?? 0)} a month, GST included${toCard}, from the day you press it. Otherwise it ends.`;
}

/** Why the price differs from before; `unpaid` are the payer's tools that were not paid for. */
export function whyPriceChanged(row: SlotRow, before: PriceTold, unpaid: readonly SlotRow[]): string {
  const changed = (prefix: string): boolean | null => {
    const is = row.purchase?.coupons.some(({ id }) => id.startsWith(prefix)) ?? false;
    return before.coupons.some((id) => id.startsWith(prefix)) === is ? null : is;
  };
  const free = changed('FREE');
  if (free !== null) return free ? 'you have been given free access' : 'your free access has ended';
  if (changed('GIFT') === false) return 'the months that you were given are over';
  const reasons: string[] = [];
  if (row.quantity !== before.quantity)
    reasons.push(`your team now has ${row.quantity} ${row.quantity === 1 ? 'member' : 'members'}`);
  const partner = changed('PARTNER');
  if (partner !== null) reasons.push(partner ? 'the partner price applies' : 'the partner price no longer applies');
  const isDearer = row.monthlyCents > before.monthlyCents;
  if (changed('WB') === false && isDearer) reasons.push('your welcome back discount has run out');
  if (changed('CODE') === false && isDearer) reasons.push('your discount code has run out');
  const names = unpaid.map(({ toolName }) => toolName);
  if (reasons.length === 0)
    reasons.push(names.length > 0 ? `${names.join(' and ')} is not paid for` : 'the number of your tools has changed');
  return reasons.join(' and ');
}

/** Which card pays what is listed above. */
export const paidBy = (words: PayerWords, wanted: boolean): string =>
  words.card ? `All amounts include GST, and are charged to ${words.card}.` : noCard(words, wanted);

export const howToStop = ({ toolsTab }: PayerWords) =>
  `To stop a renewal, open ${toolsTab} and choose Cancel before that day; it takes two clicks.`;

/**
 * Mails about a subscription say what it costs, when how much is charged next to which card and how to stop it, as
 * Australian consumer law asks. Nothing where nothing will be charged.
 */
export function termsOf(charge: ForecastCharge | undefined, words: PayerWords, refusal: Refusal | null): string[] {
  if (!charge) return [];
  const next = `The next charge is ${formatCents(charge.totalCents)} on ${words.on(charge.at)}`;
  return [
    `${charge.toolName}${words.whose} costs ${formatCents(monthlyOf(charge))} a month, GST included.`,
    `${next}${words.card ? `, to ${words.card}` : ''}${partsOf(charge, words)}.${afterwards(charge, words)}`,
    ...(words.card ? [] : [noCard(words, refusal === null)]),
    howToStop(words),
  ];
}

/** The payer's next charge, whatever it is for. */
export function nextCharge({ next, charges }: Forecast, words: PayerWords, refusals: Refusals): string[] {
  if (!next) return [];
  const wanted = charges.some(({ toolId }) => !refusals(toolId));
  return [
    `The next charge${words.whose} is ${formatCents(next.totalCents)} on ${words.on(next.at)}${words.card ? `, to ${words.card}` : ''}.`,
    ...(words.card ? [] : [noCard(words, wanted)]),
  ];
}
