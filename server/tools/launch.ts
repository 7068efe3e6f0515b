import { minute, plus } from '#shared/rules/dates.ts';
import { launchTokenMinutes } from '#shared/rules/tools.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { accessTo } from '#server/subscriptions/service.ts';
import { insertLaunchToken, toolById } from './queries.ts';

/** A one-time token for a tool this adviser has access to, and the address that opens the tool with it (decisions §8). */
export async function launch(context: Context, userId: string, toolId: string) {
  const tool = await toolById(context.db, toolId);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  await consume(context, 'launchUserTool', `${userId}:${toolId}`);
  if (!(await accessTo(context, userId, toolId))) throw new AppError('subscription_required');

  const now = context.now();
  const token = newToken();
  const expiresAt = plus(now, launchTokenMinutes * minute);
  await insertLaunchToken(context.db, { userId, toolId, token: hashToken(token), expiresAt, createdAt: now });

  const url = new URL(tool.domain);
  url.searchParams.set('auth_token', token);
  return { token, url: url.href, expiresAt };
}
