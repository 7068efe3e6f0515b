import type { Db } from '#server/platform/data/database.ts';

type Moved = { month: string; terms: number; paidCents: number; refundedCents: number };

/** A tool's part of a document's amount, in proportion to what was billed and rounded so that the parts of all its tools add up. */
const part = (cents: string) => `round(${cents} * upto / total) - round(${cents} * (upto - shares.cents) / total)`;

/**
 * What was paid for this tool, and given back of it, in each month (as its first day, in Sydney), by the terms in force when it was paid: 0
 * before the first of these times, 1 from it on, and so on. What a note took off an invoice before it was paid was never paid: a tool that is
 * cancelled in grace leaves its bill, while the invoice keeps the line that it was issued with. What an older release sold has no bill.
 */
const text = `
  with ours as (
    select invoices.id, amount_paid_cents, paid_at, width_bucket(paid_at, $2::timestamptz[]) as terms,
      bills.lines || bills.parts as billed, invoices.lines
    from invoices left join bills on bills.stripe_invoice_id = invoices.stripe_invoice_id
    where paid_at is not null and invoices.lines @> jsonb_build_array(jsonb_build_object('toolId', $1::text))
  ), shares as (
    select id, tool_id, cents, sum(cents) over (partition by id order by tool_id) as upto,
      sum(cents) over (partition by id) as total
    from (
      select id, line ->> 'toolId' as tool_id, sum((line ->> 'cents')::numeric - case when billed is null then coalesce(
        (select sum((discount ->> 'cents')::numeric) from jsonb_array_elements(line -> 'discounts') as discount), 0) else 0 end) as cents
      from ours, jsonb_array_elements(coalesce(billed, lines)) as line where line ->> 'toolId' is not null group by 1, 2
    ) as tools
  ), moved as (
    select sydney_month(paid_at) as month, terms, ${part('amount_paid_cents')} as paid, 0 as refunded
    from ours join shares using (id) where tool_id = $1 and total <> 0
    union all
    select sydney_month(notes.issued_at), terms, 0, ${part('notes.total_cents')}
    from adjustment_notes as notes join ours on ours.id = notes.invoice_id join shares on shares.id = ours.id
    where tool_id = $1 and total <> 0 and notes.issued_at >= ours.paid_at
  )
  select to_char(month, 'YYYY-MM') as month, terms, sum(paid)::int as "paidCents", sum(refunded)::int as "refundedCents"
  from moved group by 1, 2 having sum(paid) <> 0 or sum(refunded) <> 0 order by 1, 2`;

export async function moneyOf(db: Db, toolId: string, termsSince: Date[]): Promise<Moved[]> {
  // Without terms, everything is before them.
  const since = termsSince.length > 0 ? termsSince : ['infinity'];
  return (await db.$client.query<Moved>(text, [toolId, since])).rows;
}
