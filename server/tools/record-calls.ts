import type { ErrorRequestHandler, Request } from 'express';
import * as z from 'zod';
import type { ToolCall, ToolReport } from '#shared/rules/tools/tool-checks.ts';
import { tokensOf } from '#server/access-tokens/service.ts';
import { findToolPerson } from '#server/people/service.ts';
import { findSessionsOfTool } from '#server/usage/service.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { toAppError } from '#server/platform/http/error-handler.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { claimedTool } from '#server/platform/crypto/tool-credentials.ts';
import { insertCall } from './queries-checks.ts';
import { noteWrongSecret } from './refusals.ts';

const paths = [
  [/^\/api\/tools\/introspect$/, 'introspect'],
  [/^\/api\/tools\/usage$/, 'usage'],
  [/^\/api\/tools\/erasures\/[^/]+$/, 'erasure'],
] as const;

type Body = { active?: boolean; session_id?: string; message?: string; events?: Partial<ToolReport>[] };

/**
 * Notes how a tool's server is answered, before it is: in the examination that its maker began, and in development for whoever develops
 * it. A call that could not be noted is still answered.
 */
export async function hearAnswer(context: Context, req: Request, status: number, answer: Body): Promise<void> {
  const name = req.method === 'POST' && paths.find(([path]) => path.test(req.baseUrl + req.path))?.[1];
  if (!name) return;
  const toolId = req.tool?.toolId ?? claimedTool(req)?.id ?? '';
  const call = () => callOf(name, status, req.body as Record<string, unknown> | undefined, answer);
  context.hearTool?.(toolId, call());
  // Our own failures are no fault of the tool's, and if the database is away, storing the call would wait for it again.
  const examined = status < 500 && (req.tool?.examined ?? toolId !== '') && toolId.length <= 64;
  if (!examined) return;
  const note = async () => {
    if (req.tool?.draft === false && (await isAboutAdvisers(context.db, toolId, call()))) return;
    await insertCall(context.db, toolId, call());
  };
  await note().catch((error: unknown) => req.log.warn({ err: error }, 'a tool’s call could not be noted'));
}

/** Whether a published tool's call is about advisers, who open it while its staging twin is examined. */
async function isAboutAdvisers(db: Db, toolId: string, { tokenHash, reports = [] }: ToolCall): Promise<boolean> {
  const tokens = tokenHash ? await tokensOf(db, [tokenHash]) : [];
  const ids = reports.flatMap(({ session_id }) => (z.guid().safeParse(session_id).success ? session_id! : []));
  const sessions = await findSessionsOfTool(db, toolId, ids);
  const people = await Promise.all([...tokens, ...sessions].map(({ userId }) => findToolPerson(db, userId)));
  return people.some((person) => person && person.testOf === null);
}

/** Notes refused calls of tools' servers, and a wrong secret for the maker of the tool that the call named. */
export const hearRefusals =
  (context: Context): ErrorRequestHandler =>
  async (error, req, _res, next) => {
    const { code, status, message } = toAppError(error);
    await hearAnswer(context, req, status, { message });
    const claimed = code === 'invalid_tool_credentials' ? claimedTool(req) : null;
    if (claimed && claimed.id.length <= 64) noteWrongSecret(context, claimed.id, claimed.secret);
    next(error);
  };

function callOf(
  call: ToolCall['call'],
  status: number,
  asked: Record<string, unknown> | undefined,
  answer: Body,
): ToolCall {
  const at = realNow().getTime();
  const told = { at, call, status, ...(status >= 400 && { message: answer.message ?? '' }) };
  if (call === 'erasure') return told;
  if (call === 'introspect') {
    const token = asked?.['token'];
    const { active, session_id } = answer;
    return {
      ...told,
      ...(typeof token === 'string' && { tokenHash: hashToken(token) }),
      ...(active && { active, ...(session_id !== undefined && { session_id }) }),
    };
  }
  const events = Array.isArray(asked?.['events']) ? (asked['events'] as unknown[]) : [];
  return { ...told, reports: (answer.events ?? []).map((one, index) => reportOf(events[index], one)) };
}

function reportOf(event: unknown, answer: Partial<ToolReport>): ToolReport {
  const { event_id: _id, session_id, duration_seconds, ...rest } = (event ?? {}) as Record<string, unknown>;
  const { event_id = null, accepted = false, duplicate = false, access, reason, field, message } = answer;
  return {
    event_id,
    session_id: typeof session_id === 'string' ? session_id : null,
    duration_seconds: typeof duration_seconds === 'number' ? duration_seconds : 0,
    figures: JSON.stringify([duration_seconds, rest]).slice(0, 300),
    accepted,
    duplicate,
    ...(access !== undefined && { access }),
    ...(reason && { reason }),
    ...(field && { field }),
    ...(message && { message }),
  };
}
