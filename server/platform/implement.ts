import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import compression from 'compression';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type * as z from 'zod';
import type { Access, Api, Endpoint, FileReply, Input, Reply } from '#shared/api/endpoint.ts';
import type { ActorRow } from './actor.ts';
import { AppError } from './app-error.ts';
import { calledBy, type Context } from './context.ts';
import { requireCsrfToken } from './csrf.ts';
import type { Env } from './env.ts';
import { createGate } from './gate.ts';
import { askerOf, consume } from './rate-limit.ts';
import { hasProved } from './session.ts';
import { authenticateTool, type ToolActor } from './tool-credentials.ts';

type Actor<A extends Access> = A extends 'public' ? ActorRow | null : A extends 'tool' ? ToolActor : ActorRow;

/** A handler gets the parsed input, the caller, and the request for those that need cookies. */
export type Handler<E extends Endpoint> = (
  input: Input<E> & { actor: Actor<E['access']>; request: Request },
  context: Context,
) => Promise<Reply<E> | Written>;
export type Handlers<A extends Api> = { [K in keyof A]: Handler<A[K]> };

/** The calls whose answers are kept, or for which queries: only answers made of the rows in answer-version.ts and the time. */
export type Keeps<A extends Api> = {
  [K in keyof A]?: true | ((query: Input<A[K]>['query' & keyof Input<A[K]>]) => boolean);
};

/** An answer that has already been checked and written as JSON. */
export class Written {
  constructor(readonly json: string) {}
}

/** Files are made a few at a time; whoever waits does so before the first query, and so leaves the database pool to others. */
const files = createGate({ atOnce: 4, limit: 64, share: 16, deadlineMs: 15_000 });

/** Why this user may not call, or null. The rights are from the user's row as read for this request. */
function refusal({ access }: Endpoint, user: ActorRow | null, { adminFactor }: Env): AppError | null {
  if (access === 'public' || access === 'tool') return null;
  if (!user) return new AppError('unauthorized');
  if (access === 'admin' && !user.isAdmin) return new AppError('admin_required');
  if (access === 'admin' && adminFactor && !user.hasSecondFactor) return new AppError('factor_required');
  if (access === 'member' && !user.profileCompleted) return new AppError('profile_incomplete');
  return null;
}

const isAdminWrite = ({ access, method }: Endpoint) => access === 'admin' && method !== 'GET';

/** Whether this call needs proof of who sends it. */
function asksProof({ proof }: Endpoint, req: Request): boolean {
  if (proof === 'team') return (req.body as { teamId?: unknown } | undefined)?.teamId !== undefined;
  return proof === 'always' || (proof === 'factor' && req.user?.hasSecondFactor === true);
}

function authorise(endpoint: Endpoint, context: Context): RequestHandler[] {
  const { access } = endpoint;
  if (access === 'tool') {
    return [
      async (req, _res, next) => {
        req.tool = await authenticateTool(calledBy(context, req), req);
        next();
      },
    ];
  }
  const guard: RequestHandler = (req, _res, next) => {
    // A tab that still shows the previous person must not act for the next one.
    const madeFor = req.get('x-made-for');
    if (madeFor !== undefined && req.user && req.user.id !== madeFor) throw new AppError('other_account');
    const refused = refusal(endpoint, req.user ?? null, context.env);
    if (refused) throw refused;
    next();
  };
  const proof: RequestHandler = (req, _res, next) => {
    if (asksProof(endpoint, req) && !hasProved(req)) throw new AppError('proof_needed');
    next();
  };
  return isAdminWrite(endpoint) ? [guard, requireCsrfToken, proof] : [guard, proof];
}

/** Field → first sentence, in the order of the schema's checks. */
function fieldsOf(error: z.core.$ZodError): Record<string, string> {
  // Without a prototype: a field may be called `hasOwnProperty`.
  const fields = Object.create(null) as Record<string, string>;
  for (const issue of error.issues) {
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.') || 'body'];
    for (const name of names)
      fields[name] ??= issue.code === 'unrecognized_keys' ? `Unknown field: ${name}` : issue.message;
  }
  return fields;
}

/** Parses the caller's input; faults name their fields. A ZodError from anywhere else is a bug of ours. */
function parseInput(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('invalid_input', { fields: fieldsOf(result.error) });
  return result.data;
}

/** The parsed body. JSON only, so that no form on another site can write; a missing body counts as empty. */
function bodyOf(endpoint: Endpoint, req: Request): unknown {
  const form = 'application/x-www-form-urlencoded';
  const wanted = { json: ['application/json'], form: [form], any: ['application/json', form] }[
    endpoint.bodyType ?? 'json'
  ];
  const present = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (present && endpoint.method !== 'GET' && !req.is(wanted))
    throw new AppError('unsupported_media_type', {
      fields: { 'content-type': `The request must be ${wanted.join(' or ')}.` },
    });
  return endpoint.body && parseInput(endpoint.body, req.body ?? {});
}

/** Answers 405 to a known address that was asked with another method, naming those it takes. */
export function otherMethods(contract: Record<string, Api>): RequestHandler {
  const endpoints = Object.values(contract)
    .flatMap((api) => Object.values(api))
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`) }));
  return (req, res, next) => {
    const path = req.baseUrl + req.path;
    const allowed = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (allowed.length === 0) return next();
    res.set('allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  };
}

/** Sends a download; a client that leaves early is no error. */
async function sendFile(res: Response, type: string, { name, body }: FileReply): Promise<void> {
  res.attachment(name).type(type);
  compress(res.req, res, () => undefined);
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.end(body);
  await pipeline(Readable.from(body), res).catch((error: unknown) => {
    if (!res.destroyed) throw error;
  });
}

/** Costs a twentieth of a call's time, so answers that fit into one packet anyway skip it. */
const compress = compression();
const worthCompressing = 1024;

/** What Express does with text, without working out its type and an ETag. */
function sendJson(res: Response, json: string): void {
  const length = Buffer.byteLength(json);
  if (length >= worthCompressing) compress(res.req, res, () => undefined);
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', length);
  res.end(json);
}

const jsonOf = (answer: unknown): string => (answer instanceof Written ? answer.json : JSON.stringify(answer));

/** The call's answer to whoever asks, as it is sent; throws the error that refuses it. */
type Read = (req: Request, query: Record<string, string>) => Promise<string>;
const reads = new WeakMap<Context, Map<string, Read>>();

/** This path's GET, for answers made of several. */
export const readOf = (context: Context, path: string): Read | undefined => reads.get(context)?.get(path);

/** The word after /api/ in a path. */
const wordOf = (path: string) => path.split('/', 3)[2]?.toLowerCase();

/**
 * Turns endpoints into routes: checks access, parses the input strictly, calls the handler, and sends only the answer's listed
 * fields. The compiler demands a handler for every endpoint. Calls whose path begins with another word skip all of them at once.
 */
export function implement<A extends Api>(
  api: A,
  handlers: Handlers<A>,
  context: Context,
  keeps: Keeps<A> = {},
): RequestHandler {
  const router = Router();
  const words = new Set(Object.values(api).map(({ path }) => wordOf(path)));
  const known = reads.get(context) ?? new Map<string, Read>();
  reads.set(context, known);
  for (const [name, endpoint] of Object.entries(api)) {
    const handler = handlers[name] as unknown as (input: unknown, context: Context) => Promise<unknown>;
    const keep = keeps[name] as true | ((query: unknown) => boolean) | undefined;
    const answerTo = async (input: { params?: unknown; query?: unknown; actor: unknown }, called: Context) => {
      const make = async (): Promise<unknown> => {
        const answer = await handler(input, called);
        return answer instanceof Written ? answer : endpoint.response.parse(answer);
      };
      if (!context.kept || !(keep === true || keep?.(input.query))) return make();
      const call = `${endpoint.path} ${JSON.stringify([input.params, input.query])}`;
      return new Written(await context.kept(input.actor as ActorRow | null, call, async () => jsonOf(await make())));
    };
    const form = endpoint.bodyType ? [express.urlencoded({ extended: false, limit: '10kb' })] : [];
    if (endpoint.method === 'GET' && !endpoint.params && !endpoint.file && endpoint.access !== 'tool') {
      known.set(endpoint.path, async (req, query) => {
        const refused = refusal(endpoint, req.user ?? null, context.env);
        if (refused) throw refused;
        const input = {
          query: endpoint.query && parseInput(endpoint.query, query),
          actor: req.user ?? null,
          request: req,
        };
        return jsonOf(await answerTo(input, calledBy(context, req)));
      });
    }
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
      if (isAdminWrite(endpoint)) await consume(context, 'adminWrites', req.user!.id);
      const called = calledBy(context, req);
      if (!endpoint.file) {
        const answer = await answerTo(input, called);
        res.status(endpoint.status ?? 200);
        // Checks of a tool listen to its calls in Express's own method (tools/heard.ts).
        return endpoint.access === 'tool' ? void res.json(answer) : sendJson(res, jsonOf(answer));
      }
      const file = async () => {
        if (req.user) await consume(context, 'downloads', req.user.id);
        return (await handler(input, called)) as FileReply;
      };
      await sendFile(res, endpoint.file, await files.run(file, askerOf(called)));
    });
  }
  return (req, res, next) => (words.has(wordOf(req.path)) ? router(req, res, next) : next());
}
