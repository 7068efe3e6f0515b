import { billAfter, billedFrom, type BillRow, isOnBill, partUntil } from '#shared/rules/billing/bill.ts';
import { formatDays, plusMonths } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import type { OldPurchase } from '#shared/schema/subscriptions.ts';
import { type Payer, payerKey } from '#server/payers/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { SubscriptionRow } from '../queries.ts';
import { tell, type Telling, tellingFor } from '../tell/tell.ts';
import { on } from '../tell/words.ts';

type OldRow = SubscriptionRow & { purchase: OldPurchase };

/** Tells a payer once that all their tools are on one bill from now on, and line by line why the first one is what it is. */
export async function tellJoined(inside: Context, payer: Payer, rows: readonly OldRow[]): Promise<void> {
  const telling = await tellingFor(inside, payer);
  const { bill } = telling.forecast;
  if (!bill || telling.facts.chargesPaused) return;
  const { words, input } = telling;
  await tell(telling, {
    key: `join-one-bill:${payerKey(payer)}`,
    title: 'One bill for all your tools',
    message: `From ${on(bill.day)} there is one bill a month${words.whose}, with one payment and one tax invoice for all tools.`,
    link: words.billing,
    kind: 'bill-changed',
    subject: mailSubject`One bill a month${words.whose}, from ${on(bill.day)}`,
    says: [
      `Until now each tool had a charge, a tax invoice and reminders of its own. From ${on(bill.day)} there is one bill a month${words.whose}. Prices and discounts stay as they are, no day is charged twice, and none is lost.`,
      ...rows.flatMap((row) => renewalText(row, telling) ?? []),
      ...input.rows.flatMap((row) => joinText(row, telling) ?? []),
    ],
    coming: 'add',
  });
}

/** What is charged once more as it was. */
function renewalText({ id, purchase, endDate }: OldRow, { input, words }: Telling): string | null {
  const name = input.rows.find((row) => row.id === id)?.toolName;
  const { renewal } = purchase.join ?? {};
  if (!renewal || !name) return null;
  const charged = renewal.cents === 0 ? 'at no charge' : `for ${formatCents(renewal.cents)}`;
  return `${name}${words.whose} renews once more by itself on ${on(endDate)} ${charged}, as you were told.`;
}

/** Until when a tool is paid, and what the bill that it joins has of it. */
function joinText(row: BillRow, { input, forecast, facts }: Telling): string | null {
  const from = billedFrom(row, input.payer);
  const { nextBillAt } = facts;
  if (!from || !nextBillAt || !forecast.bill) return null;
  const what = row.status === 'trial' ? 'is free' : 'is paid';
  let at = nextBillAt;
  while (!isOnBill(row, input.payer, at)) at = billAfter(at, input.payer);
  const part = partUntil(row, input, at, plusMonths(at, -1, facts.billingDay));
  if (!part) return `${row.toolName} ${what} until ${on(at)}, and its month is on the bill of that day.`;
  return `${row.toolName} ${what} until ${on(from)}. Its days until the bill of ${on(at)} are on that bill (${formatDays(part.from, part.to)}: ${formatCents(part.cents)}), and its month from there.`;
}
