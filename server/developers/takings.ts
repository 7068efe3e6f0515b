import type { Reply } from '#shared/api/endpoint.ts';
import type { developersApi } from '#shared/api/developers.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { shareOf } from '#shared/rules/tools/publication.ts';
import { audit } from '#server/audit/service.ts';
import { agreements, type ToolRow } from '#server/catalogue/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { requireOwnTool } from './own-tools.ts';
import { moneyOf } from './queries-takings.ts';

/** The maker proposes what a subscriber pays a month; an administrator accepts it, or says why not. */
export async function proposePrice(inside: Context, tool: ToolRow, priceCents: number): Promise<void> {
  if (tool.isActive && centsOf(tool.basePrice) === priceCents) throw new AppError('same_price');
  await agreements.propose(inside.db, tool.id, priceCents, inside.now());
  await audit(inside, 'tool.price_proposed', { tool: tool.id, after: { priceCents } });
}

/** What was agreed on, and what is due to its maker for each month in which money moved, the newest first. */
export async function takingsOf(
  context: Context,
  actor: ActorRow,
  toolId: string,
): Promise<Reply<typeof developersApi.takings>> {
  const { db } = context;
  const tool = await requireOwnTool(db, actor, toolId);
  const agreed = await agreements.agreementsOf(db, tool.id);
  const moved = await moneyOf(
    db,
    tool.id,
    agreed.map(({ acceptedAt }) => acceptedAt!),
  );
  const months = new Map<string, { paidCents: number; refundedCents: number; dueCents: number }>();
  for (const { month, terms, paidCents, refundedCents } of moved) {
    const sum = months.get(month) ?? { paidCents: 0, refundedCents: 0, dueCents: 0 };
    // Nothing is sold before the first acceptance; Stripe cuts its times to the second.
    const share = agreed[Math.max(terms, 1) - 1]?.sharePercent ?? 0;
    months.set(month, {
      paidCents: sum.paidCents + paidCents,
      refundedCents: sum.refundedCents + refundedCents,
      dueCents: sum.dueCents + shareOf(paidCents - refundedCents, share),
    });
  }
  const [newest] = agreed.toReversed();
  return {
    agreed: newest
      ? { priceCents: newest.priceCents, sharePercent: newest.sharePercent!, since: newest.acceptedAt! }
      : null,
    proposedCents: (await agreements.proposalOf(db, tool.id))?.priceCents ?? null,
    months: [...months].map(([month, sums]) => ({ month, ...sums })).toSorted((a, b) => b.month.localeCompare(a.month)),
  };
}
