import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { reminderDays, reminderDue, remindsOf, zoneOf } from '#shared/rules/reminders.ts';
import { keysTold, notify, type Notice } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { rowsRenewingSoon, type RenewingRow } from './queries-reminders.ts';

/**
 * Tells advisers of renewals and of trials that end, 7, 3 and 1 days before in their own calendar, each once
 * (B §9 Renewal). Works by state: what was told is left alone, so that it may run at any time and twice.
 */
export async function remindOfRenewals(context: Context): Promise<void> {
  for (let after: RenewingRow | null = null; ;) {
    const rows: RenewingRow[] = await rowsRenewingSoon(context.db, context.now(), after);
    if (rows.length === 0) return;
    const due = rows.flatMap((row) => reminderFor(row, context.now()) ?? []);
    const told = await keysTold(context.db, due);
    for (const notice of due) if (!told.has(`${notice.userId} ${notice.dedupeKey}`)) await notify(context, notice);
    after = rows.at(-1)!;
  }
}

function reminderFor(row: RenewingRow, now: Date): Notice | null {
  const at = remindsOf(row, now);
  const days = at && reminderDue(at, now, row.reminderDays ?? reminderDays, zoneOf(row.businessState));
  return at && days !== null ? renewalNotice(row, at, days) : null;
}

/** What is told: the price, the date, and how to stop it, in every reminder (Australian consumer law). */
function renewalNotice(row: RenewingRow, at: Date, days: number): Notice {
  const { toolName, monthlyCents, teamName } = row;
  const date = formatSydneyDate(at);
  const price = formatCents(monthlyCents);
  const what = teamName === null ? toolName : `${toolName} for ${teamName}`;
  const stop =
    'To stop it, open Subscriptions on your dashboard and choose Cancel before that day; it takes two clicks.';
  const trial = row.status === 'trial';
  const converts = trial && row.cardOnFile;
  const title = trial ? 'Your free trial is ending' : 'Your subscription renews soon';
  const message = !trial
    ? `${what} renews on ${date} for ${price}.`
    : converts
      ? `Your free trial of ${what} ends on ${date}. It then continues for ${price} a month, charged to your card.`
      : `Your free trial of ${what} ends on ${date}. Add a card to keep it for ${price} a month; without one it simply ends.`;
  return {
    userId: row.payerUserId,
    type: 'subscription_renewal',
    title,
    message,
    actionUrl: trial && !converts ? '/dashboard?tab=billing' : '/dashboard',
    dedupeKey: `renewal:${row.id}:${at.toISOString().slice(0, 10)}:${days}`,
    expiresAt: at,
    mail: {
      kind: trial ? 'trial-ending' : 'renewal-reminder',
      subject: trial ? `Your free trial of ${what} ends on ${date}` : `${what} renews on ${date}`,
      paragraphs: trial && !converts ? [message] : [message, stop],
      actionLabel: trial && !converts ? 'Add a card' : 'Open my subscriptions',
      footer: 'You get this because reminders are on in your account.',
    },
  };
}
