import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ToolCall, ToolReport } from '#shared/rules/tool-checks.ts';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { claimedTool } from '#server/platform/tool-credentials.ts';
import { insertCall } from './queries-checks.ts';
import { noteWrongSecret } from './refusals.ts';

const paths = { '/api/tools/introspect': 'introspect', '/api/tools/usage': 'usage' } as const;

type Body = { active?: boolean; session_id?: string; message?: string; events?: Partial<ToolReport>[] };

/** Tells `heard` how a tool's server is answered, and sends the answer once that is noted. A call `heard` doesn't ask about costs nothing. */
export function hearCall(
  req: Request,
  res: Response,
  heard: (call: () => ToolCall) => Promise<void> | undefined,
): void {
  const name = paths[(req.originalUrl ?? req.url).split('?', 1)[0] as keyof typeof paths];
  if (!name || req.method !== 'POST') return;
  const earlier = Object.hasOwn(res, 'json') ? res.json : null;
  // Shadows Express's own method, which is on the prototype.
  Object.assign(res, {
    json(this: Response, body: Body) {
      const send = () => (earlier ?? (Object.getPrototypeOf(this) as Response).json).call(this, body);
      const noting = heard(() => callOf(name, this.statusCode, req.body as Record<string, unknown> | undefined, body));
      if (!noting) return send();
      void noting
        // A call that could not be noted is still answered.
        .catch((error: unknown) => req.log?.warn({ err: error }, 'a tool’s call could not be noted'))
        .then(send);
      return this;
    },
  });
}

/** Stores what a tool's server asks while the tool is being examined, before answering it. */
export const hearExamined =
  (context: Context): RequestHandler =>
  (req, res, next) => {
    hearCall(req, res, (call) => {
      // Our own failures are no fault of the tool's, and if the database is away, storing the call would wait for it again.
      if (res.statusCode >= 500) return undefined;
      const toolId = req.tool ? req.tool.examined && req.tool.toolId : claimedTool(req)?.id;
      return toolId && toolId.length <= 64 ? insertCall(context.db, toolId, call()) : undefined;
    });
    next();
  };

/** Notes a wrong secret, for the maker of the tool that the call named. */
export const noteWrongSecrets =
  (context: Context): ErrorRequestHandler =>
  (error, req, _res, next) => {
    const claimed = error instanceof AppError && error.code === 'invalid_tool_credentials' ? claimedTool(req) : null;
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
  const { event_id = null, accepted = false, duplicate = false, reason, field, message } = answer;
  return {
    event_id,
    session_id: typeof session_id === 'string' ? session_id : null,
    duration_seconds: typeof duration_seconds === 'number' ? duration_seconds : 0,
    figures: JSON.stringify([duration_seconds, rest]).slice(0, 300),
    accepted,
    duplicate,
    ...(reason && { reason }),
    ...(field && { field }),
    ...(message && { message }),
  };
}
