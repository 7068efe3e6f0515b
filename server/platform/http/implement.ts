import express, { Router, type Request, type RequestHandler } from 'express';
import type { Access, Api, Endpoint, FileReply, Input, Reply } from '#shared/api/endpoint.ts';
import type { ActorRow } from './actor.ts';
import { AppError } from './app-error.ts';
import { authorise, isAdminWrite, refusal } from './authorise.ts';
import { calledBy, type Context } from '../context.ts';
import { createGate } from './gate.ts';
import { addressInput, inputOf } from './parse-input.ts';
import { askerOf, consume } from './rate-limit.ts';
import { sendFile, sendJson } from './respond.ts';
import type { ToolActor } from '../crypto/tool-credentials.ts';

type Actor<A extends Access> = A extends 'public' ? ActorRow | null : A extends 'tool' ? ToolActor : ActorRow;

/** A handler gets the parsed input, the caller, and the request for those that need cookies. */
export type Handler<E extends Endpoint> = (
  input: Input<E> & { actor: Actor<E['access']>; request: Request },
  context: Context,
) => Promise<Reply<E>>;
export type Handlers<A extends Api> = { [K in keyof A]: Handler<A[K]> };

/** The answer to whoever only needs to hear that it was done. */
export const done = async (act: Promise<unknown>, message: string): Promise<{ message: string }> => {
  await act;
  return { message };
};

/** The calls whose answers are kept, or for which queries: only answers made of the rows in kept-answers/version.ts and the time. */
export type Keeps<A extends Api> = {
  [K in keyof A]?: true | ((query: Input<A[K]>['query' & keyof Input<A[K]>]) => boolean);
};

/** Files are made a few at a time; whoever waits does so before the first query, and so leaves the database pool to others. */
const files = createGate({ atOnce: 4, limit: 64, share: 16, deadlineMs: 15_000 });

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

/** The answer to a GET for whoever asks, as it is sent; throws the error that refuses it. */
type Read = (req: Request, parts: { params?: unknown; query?: unknown }) => Promise<string>;
export type Reads = ReadonlyMap<Endpoint, Read>;

/** The routes of an API, and its GETs for answers that come with a page. */
export type Routes = RequestHandler & { reads: Reads };

export const readsOf = (handlers: readonly object[]): Reads =>
  new Map(handlers.flatMap((one) => ('reads' in one ? [...(one as Routes).reads] : [])));

/** The word after /api/ in a path. */
const wordOf = (path: string) => path.split('/', 3)[2]?.toLowerCase();

type CallInput = { params?: unknown; query?: unknown; actor: unknown; request: Request };
type AnyHandler = (input: CallInput, context: Context) => Promise<unknown>;
type Keep = true | ((query: unknown) => boolean) | undefined;

/** Makes a function that answers an endpoint's call as JSON, from memory where that may be kept, with only the answer's listed fields. */
const answering =
  ({ path, response }: Endpoint, handler: AnyHandler, keep: Keep) =>
  async (input: CallInput, called: Context): Promise<string> => {
    const make = async () => JSON.stringify(response.parse(await handler(input, called)));
    if (!called.kept || !(keep === true || keep?.(input.query))) return make();
    return called.kept(input.actor as ActorRow | null, `${path} ${JSON.stringify([input.params, input.query])}`, make);
  };

/**
 * Turns endpoints into routes: checks access, parses the input strictly, calls the handler, and sends only the answer's listed
 * fields. The compiler demands a handler for every endpoint. Calls whose path begins with another word skip all of them at once.
 */
export function implement<A extends Api>(
  api: A,
  handlers: Handlers<A>,
  context: Context,
  keeps: Keeps<A> = {},
): Routes {
  const router = Router();
  const words = new Set(Object.values(api).map(({ path }) => wordOf(path)));
  const reads = new Map<Endpoint, Read>();
  for (const [name, endpoint] of Object.entries(api)) {
    const handler = handlers[name] as unknown as AnyHandler;
    const answerTo = answering(endpoint, handler, keeps[name] as Keep);
    const form = endpoint.bodyType ? [express.urlencoded({ extended: false, limit: '10kb' })] : [];
    if (endpoint.method === 'GET' && !endpoint.file && endpoint.access !== 'tool') {
      reads.set(endpoint, async (request, parts) => {
        const actor = request.user ?? null;
        const refused = refusal(endpoint, actor, context.env);
        if (refused) throw refused;
        return answerTo({ ...addressInput(endpoint, parts), actor, request }, calledBy(context, request));
      });
    }
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](endpoint.path, ...form, ...authorise(endpoint, context), async (req, res) => {
      const actor = endpoint.access === 'tool' ? req.tool : (req.user ?? null);
      const input = { ...inputOf(endpoint, req), actor, request: req };
      if (isAdminWrite(endpoint)) await consume(context, 'adminWrites', req.user!.id);
      const called = calledBy(context, req);
      if (!endpoint.file) {
        const json = await answerTo(input, called);
        res.status(endpoint.status ?? 200);
        return sendJson(res, json);
      }
      const file = async () => {
        if (req.user) await consume(context, 'downloads', req.user.id);
        return (await handler(input, called)) as FileReply;
      };
      await sendFile(res, endpoint.file, await files.run(file, askerOf(called)));
    });
  }
  const routes: RequestHandler = (req, res, next) => (words.has(wordOf(req.path)) ? router(req, res, next) : next());
  return Object.assign(routes, { reads });
}
