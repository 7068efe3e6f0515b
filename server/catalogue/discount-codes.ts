import type { Input } from '#shared/api/endpoint.ts';
import type { codesApi } from '#shared/api/operators/discount-codes.ts';
import { day, formatSydneyDate, plus, sydneyDate, sydneyMidnight } from '#shared/rules/dates.ts';
import { codeTerms, isCodeOver, lastDayOf } from '#shared/rules/billing/discount-codes.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { activeTools } from './queries.ts';
import { insertCode, lockCode, noteCodeEnded } from './queries-codes.ts';

export { codesMade } from './queries-codes.ts';

type NewCode = Input<typeof codesApi.make>['body'];

/** Midnight in Sydney at the end of that day. */
const endOf = (date: string) => sydneyMidnight(sydneyDate(plus(sydneyMidnight(date), 1.5 * day)));

function daysOf({ startsOn, lastDay }: NewCode, now: Date) {
  const today = sydneyDate(now);
  if (startsOn !== undefined && startsOn < today) throw fieldError('startsOn', 'Please choose today or a later day');
  if (lastDay < today) throw fieldError('lastDay', 'Please choose today or a later day');
  if (startsOn !== undefined && lastDay < startsOn)
    throw fieldError('lastDay', 'The last day can’t be before the first');
  return { startsAt: startsOn === undefined ? null : sydneyMidnight(startsOn), endsAt: endOf(lastDay) };
}

/** `POST /api/admin/codes`. Of two administrators who make the same code at once, one succeeds. */
export const makeCode = (context: Context, actor: ActorRow, made: NewCode): Promise<{ startsAt: Date | null }> =>
  inTransaction(context, async (inside, tx) => {
    const now = inside.now();
    const { code, percent, months, toolIds, mostRedemptions, reason } = made;
    const tools = await activeTools(tx);
    const named = toolIds?.map((id) => tools.find((tool) => tool.id === id && id !== lostMoneyTool));
    if (named?.includes(undefined)) throw fieldError('toolIds', 'Please choose tools that are sold');
    const row = await insertCode(tx, {
      code,
      percent,
      months,
      mostRedemptions,
      reason,
      ...daysOf(made, now),
      toolIds: toolIds && [...new Set(toolIds)],
      madeBy: actor.id,
      createdAt: now,
    });
    if (!row) throw fieldError('code', 'A discount code has this name already, or had it. Please choose another');
    const tellsTools = named?.map((tool) => tool?.name).join(', ') ?? 'all tools';
    await audit(inside, 'admin.code_made', {
      after: {
        code,
        terms: `${codeTerms(made)}, for ${tellsTools}, until ${formatSydneyDate(lastDayOf(row))}, at most ${mostRedemptions} times`,
        reason,
      },
    });
    return row;
  });

/** `POST …/end`: nobody can redeem it from now on; whoever has redeemed it keeps it. */
export const endCode = (context: Context, actor: ActorRow, id: string, reason: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const code = await orRefuse(lockCode(tx, id), 'code_not_found');
    if (isCodeOver(code, inside.now())) throw new AppError('code_over');
    await noteCodeEnded(tx, id, { endedAt: inside.now(), endedBy: actor.id, endReason: reason });
    await audit(inside, 'admin.code_ended', { after: { code: code.code, reason } });
  });
