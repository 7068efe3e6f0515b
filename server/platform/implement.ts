import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Access, Api, Endpoint, FileReply, Input, Reply } from '#shared/api/endpoint.ts';
import type { ActorRow } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { requireCsrfToken } from './csrf.ts';
import { parseInput } from './error-handler.ts';
import { authenticateTool, type ToolActor } from './tool-credentials.ts';

type Actor<A extends Access> = A extends 'public' ? ActorRow | null : A extends 'tool' ? ToolActor : ActorRow;

/** What a handler gets: the parsed input, who asks, and the request for the few that need cookies or addresses. */
export type Handler<E extends Endpoint> = (
  input: Input<E> & { actor: Actor<E['access']>; request: Request },
  context: Context,
) => Promise<Reply<E>>;
export type Handlers<A extends Api> = { [K in keyof A]: Handler<A[K]> };

/** Refuses who may not call; null passes. Rights come from the row read with this very request. */
export function refusal(access: Access, user: ActorRow | null): AppError | null {
  if (access === 'public' || access === 'tool') return null;
  if (!user) return new AppError('unauthorized');
  if (access === 'admin' && !user.isAdmin) return new AppError('admin_required');
  if (access === 'member' && !user.profileCompleted) return new AppError('profile_incomplete');
  return null;
}

function authorise({ access, method }: Endpoint, context: Context): RequestHandler[] {
  if (access === 'tool') {
    return [
      async (req, _res, next) => {
        req.tool = await authenticateTool(context, req);
        next();
      },
    ];
  }
  const guard: RequestHandler = (req, res, next) => {
    const refused = refusal(access, req.user ?? null);
    if (refused) throw refused;
    if (access === 'admin' && method !== 'GET') return void requireCsrfToken(req, res, next);
    next();
  };
  return [guard];
}

/** JSON only, so that no form on another site can write (a body of another type is 415, a missing one is checked as empty). */
function bodyOf(endpoint: Endpoint, req: Request): unknown {
  const form = 'application/x-www-form-urlencoded';
  const wanted = { json: ['application/json'], form: [form], any: ['application/json', form] }[
    endpoint.bodyType ?? 'json'
  ];
  const present = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (present && endpoint.method !== 'GET' && !req.is(wanted)) throw new AppError('unsupported_media_type');
  return endpoint.body && parseInput(endpoint.body, req.body ?? {});
}

/** A download; a client that leaves in the middle ends it quietly. */
async function sendFile(res: Response, type: string, { name, body }: FileReply): Promise<void> {
  res.attachment(name).type(type);
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.end(body);
  await pipeline(Readable.from(body), res).catch((error: unknown) => {
    if (!res.destroyed) throw error;
  });
}

/**
 * Turns a noun's endpoints into routes: access, then strict input, then the handler, then an answer from which only
 * listed fields leave. A handler is demanded for every endpoint by the compiler.
 */
export function implement<A extends Api>(api: A, handlers: Handlers<A>, context: Context): Router {
  const router = Router();
  for (const [name, endpoint] of Object.entries(api)) {
    const handler = handlers[name] as unknown as (input: unknown, context: Context) => Promise<unknown>;
    const form = endpoint.bodyType ? [express.urlencoded({ extended: false, limit: '10kb' })] : [];
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](endpoint.path, ...form, ...authorise(endpoint, context), async (req, res) => {
      const body = bodyOf(endpoint, req);
      const input = {
        params: endpoint.params && parseInput(endpoint.params, req.params),
        query: endpoint.query && parseInput(endpoint.query, req.query),
        body,
        actor: endpoint.access === 'tool' ? req.tool : (req.user ?? null),
        request: req,
      };
      const answer = endpoint.response.parse(await handler(input, context));
      if (endpoint.file) await sendFile(res, endpoint.file, answer as FileReply);
      else res.status(endpoint.status ?? 200).json(answer);
    });
  }
  return router;
}
