import { createHash } from 'node:crypto';
import { zoneOf } from '#shared/rules/dates.ts';
import type { Ending, ForecastCharge } from '#shared/rules/forecast.ts';
import { formatCents } from '#shared/rules/money.ts';
import { reminderDays, reminderDue, remindsOf } from '#shared/rules/reminders.ts';
import { type MoneyMail, type Notice, notify } from '#server/notifications/service.ts';
import { findPayerFacts, type Payer, type PayerFacts, payerOf, wordsFor } from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { forecastFor } from '../price/forecast.ts';
import { noteTold, type RenewingRow, rowsRenewingSoon } from './queries-reminders.ts';
import { chargeSentence, endingSentence, howToStop, paidBy, type Refusals, refusalsFor } from './sentences.ts';

/** What is told of a row: its date, how many days before it, and how much. */
type Told = NonNullable<RenewingRow['told']>;

/**
 * Reminds advisers of renewals and of what ends, 7, 3 and 1 days before in their own calendar: one notice and one mail a day
 * for each payer, with everything that is due. Where the amount has changed since a reminder, it is told again. It may run at
 * any time and twice, since each row says what was told last.
 */
export async function remindOfRenewals(context: Context): Promise<void> {
  for (let after: RenewingRow | null = null; ;) {
    const rows: RenewingRow[] = await rowsRenewingSoon(context.db, context.now(), after);
    if (rows.length === 0) return;
    const due = new Map<string, Payer>();
    for (const row of rows) if (toldNow(row, context.now())) due.set(row.userId ?? row.teamId ?? '', payerOf(row));
    for (const payer of due.values()) await remind(context, payer);
    after = rows.at(-1)!;
  }
}

/** What the row's next invoice comes to. */
export const dueCents = (row: Pick<RenewingRow, 'autoRenew' | 'prorations' | 'monthlyCents'>) =>
  row.autoRenew ? row.prorations.reduce((sum, one) => sum + one.cents, row.monthlyCents) : 0;

/** A charge is coming and there is no card, as after a hand-over: the payer hears of it, whatever their settings are. */
const lacksCard = ({ status, autoRenew, cardOnFile }: RenewingRow) => status === 'active' && autoRenew && !cardOnFile;

/** What a reminder of the row would tell now; null where none is due, or it was told. */
function toldNow(row: RenewingRow, now: Date): Told | null {
  const at = remindsOf(row, now);
  const chosen = lacksCard(row) ? reminderDays : (row.reminderDays ?? reminderDays);
  const days = at && reminderDue(at, now, chosen, zoneOf(row.businessState));
  if (!at || days === null) return null;
  const cents = dueCents(row);
  const { told } = row;
  const known = told !== null && told.at === at.toISOString() && told.days <= days && told.cents === cents;
  return known ? null : { at: at.toISOString(), days, cents };
}

/** Tells a payer everything that is due; what another run has told meanwhile is not told again. */
async function remind(context: Context, payer: Payer): Promise<void> {
  const [facts, forecast, rows] = await Promise.all([
    findPayerFacts(context.db, payer),
    forecastFor(context, payer),
    rowsRenewingSoon(context.db, context.now(), null, payer),
  ]);
  const toTell = rows.flatMap((row) => {
    const told = toldNow(row, context.now());
    return told ? [{ row, told }] : [];
  });
  if (!facts || toTell.length === 0) return;
  const ids = new Set(toTell.map(({ row }) => row.id));
  const isDue = ({ subscriptionId }: { subscriptionId: string }) => ids.has(subscriptionId);
  const charges = forecast.charges.filter(isDue);
  const endings = forecast.endings.filter(isDue);
  const refusals = await refusalsFor(context, facts.contactId);
  await transaction(context.db, async (tx) => {
    if (charges.length + endings.length > 0)
      await notify(within(context, tx), {
        ...reminderOf(payer, facts, { charges, endings, refusals }),
        // Two replicas that find the same rows due tell them once.
        dedupeKey: `renewal:${createHash('sha256')
          .update(JSON.stringify(toTell.map(({ row: { id }, told }) => [id, told])))
          .digest('hex')}`,
      });
    for (const { row, told } of toTell) await noteTold(tx, row.id, told);
  });
}

/** The reminder of all that is due, with prices, dates, the card and how to stop it, as Australian consumer law asks. */
function reminderOf(
  payer: Payer,
  facts: PayerFacts,
  { charges, endings, refusals }: { charges: ForecastCharge[]; endings: Ending[]; refusals: Refusals },
): Omit<Notice, 'dedupeKey'> {
  const words = wordsFor(payer, facts);
  const { on, whose } = words;
  const sentences = [
    ...charges.map((charge) => chargeSentence(charge, words, refusals(charge.toolId))),
    ...endings.map((ending) => endingSentence(ending, words, refusals(ending.toolId))),
  ];
  const totalCents = charges.reduce((sum, one) => sum + one.totalCents, 0);
  const unpaid = charges.length > 0 && !facts.cardOnFile;
  const toKeep = [...charges, ...endings.filter(({ reason }) => reason === 'trial_without_card')];
  const wantsCard = !facts.cardOnFile && toKeep.some(({ toolId }) => !refusals(toolId));
  const trialOnly = [...charges, ...endings].every(
    ({ reason }) => reason === 'trial_end' || reason === 'trial_without_card',
  );
  const [first] = [...charges, ...endings].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const link = wantsCard ? words.billing : words.tools;
  const total = charges.length > 1 ? [`Together ${formatCents(totalCents)}${whose}.`] : [];
  const names = new Set([...charges, ...endings].map(({ toolName }) => toolName));
  const what = names.size === 1 ? first!.toolName : `${names.size} tools`;
  const date = on(first!.at);
  const subject = trialOnly
    ? `${names.size === 1 ? `Your free trial of ${what}` : `Your free trials of ${what}`}${whose} ${names.size === 1 ? 'ends' : 'end'} on ${date}`
    : charges.length > 1
      ? `${formatCents(totalCents)}${whose} is due from ${date}`
      : charges.length === 1
        ? `${charges[0]!.toolName}${whose} renews on ${on(charges[0]!.at)}`
        : `${what}${whose} ${names.size === 1 ? 'ends' : 'end'} on ${date}`;
  const message = [...(facts.teamName === null ? [] : [`Team ${facts.teamName}.`]), ...sentences].join(' ');
  return {
    userId: facts.contactId,
    type: 'subscription_renewal',
    title: trialOnly
      ? 'Your free trial is ending'
      : charges.length > 0
        ? 'Your subscription renews soon'
        : 'Your subscription ends soon',
    message,
    actionUrl: link.actionUrl,
    expiresAt: first!.at,
    mail: {
      kind: (trialOnly ? 'trial-ending' : 'renewal-reminder') satisfies MoneyMail,
      subject,
      paragraphs: [
        ...(facts.teamName === null ? [] : [`For your team ${facts.teamName}:`]),
        ...sentences,
        ...total,
        ...(charges.length > 0 ? [paidBy(words, wantsCard), howToStop(words)] : []),
      ],
      actionLabel: wantsCard ? 'Add a card' : link.actionLabel,
      footer: 'You get this because reminders are on in your account.',
      ...(unpaid && { always: true, footer: 'You get this because a payment is due and there is no card to charge.' }),
    },
  };
}
