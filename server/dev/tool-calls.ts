import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { realNow } from '#server/platform/clock.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { basicCredentials } from '#server/platform/tool-credentials.ts';
import type { Call, Report } from './tool-check/exam.js';

const paths = { '/api/tools/introspect': 'introspect', '/api/tools/usage': 'usage' } as const;
const kept = 2000;

type Body = { active?: boolean; session_id?: string; message?: string; events?: Partial<Report>[] };

/** Keeps what tools' servers asked of this server and what they were told, in memory, for whoever develops a tool. Tokens as hashes, no secrets. */
export function watchToolCalls(server: Server): (toolId: string) => Call[] {
  const calls: { toolId: string | undefined; call: Call }[] = [];
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const name = paths[(req.url ?? '').split('?', 1)[0] as keyof typeof paths];
    if (!name || req.method !== 'POST') return;
    let answer: Body = {};
    // Express finds its own method on the prototype, this one before it.
    Object.assign(res, {
      json(this: Response, body: Body) {
        answer = body;
        return (Object.getPrototypeOf(this) as Response).json.call(this, body);
      },
    });
    res.once('finish', () => {
      const { tool, body: asked } = req as Request;
      const toolId = tool?.toolId ?? basicCredentials(req.headers.authorization)?.id;
      calls.push({ toolId, call: callOf(name, res.statusCode, asked as Record<string, unknown> | undefined, answer) });
      if (calls.length > kept) calls.shift();
    });
  });
  return (toolId) => calls.flatMap((one) => (one.toolId === toolId ? [one.call] : []));
}

function callOf(call: Call['call'], status: number, asked: Record<string, unknown> | undefined, answer: Body): Call {
  const at = realNow().getTime();
  const told = { at, call, status, ...(status >= 400 && { message: answer.message ?? '' }) };
  if (call === 'introspect') {
    const token = asked?.['token'];
    const { active, session_id } = answer;
    return {
      ...told,
      ...(typeof token === 'string' && { tokenHash: hashToken(token) }),
      ...(active && { active, session_id }),
    };
  }
  const events = Array.isArray(asked?.['events']) ? (asked['events'] as unknown[]) : [];
  return { ...told, reports: (answer.events ?? []).map((one, index) => reportOf(events[index], one)) };
}

function reportOf(event: unknown, answer: Partial<Report>): Report {
  const { event_id: _id, session_id, duration_seconds, ...rest } = (event ?? {}) as Record<string, unknown>;
  const { event_id = null, accepted = false, duplicate = false, reason, field, message } = answer;
  return {
    event_id,
    session_id: typeof session_id === 'string' ? session_id : null,
    duration_seconds: typeof duration_seconds === 'number' ? duration_seconds : 0,
    figures: JSON.stringify([duration_seconds, rest]),
    accepted,
    duplicate,
    ...(reason && { reason }),
    ...(field && { field }),
    ...(message && { message }),
  };
}
