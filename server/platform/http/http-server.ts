import http, { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import { type Express, Router } from 'express';
import type { Context } from '../context.ts';
import { refuseUnlessWritable } from '../data/database.ts';

/** Gives `made` the parents and properties of Express's own prototype. */
function adoptPrototype(made: object, original: object): void {
  Object.setPrototypeOf(made, Object.getPrototypeOf(original) as object);
  const { constructor: _own, ...properties } = Object.getOwnPropertyDescriptors(original);
  Object.defineProperties(made, properties);
}

/** How many requests may wait on one connection. Clients that send several at once send a handful. */
const waitingAtMost = 64;

/** The requests of one connection: one is worked, the others wait. */
type Turns = { isBusy: boolean; waiting: (() => void)[] };

const turnsOf = new WeakMap<Socket, Turns>();

/**
 * Works the requests of a connection one after another, however many are sent at once: the next begins when the answer before it has
 * left. Whoever does not read their answers is thereby not worked for. Too many ends the connection.
 */
const inTurn =
  (work: RequestListener): RequestListener =>
  (req, res) => {
    const { socket } = req;
    const turns = turnsOf.get(socket) ?? { isBusy: false, waiting: [] };
    turnsOf.set(socket, turns);
    const begin = () => {
      turns.isBusy = true;
      res.once('close', () => {
        turns.isBusy = false;
        if (socket.destroyed) turns.waiting = [];
        turns.waiting.shift()?.();
        if (turns.waiting.length === 0 && socket.isPaused()) socket.resume();
      });
      work(req, res);
    };
    if (!turns.isBusy) return begin();
    if (turns.waiting.push(begin) <= waitingAtMost) return void socket.pause();
    turns.waiting = [];
    socket.destroy();
  };

/** Ends an idle connection, and one whose answer is not read. A request that is still worked on goes on. */
const endUnread = (server: Server, unreadMs: number) =>
  server.setTimeout(unreadMs, (socket: Socket) => {
    if (turnsOf.get(socket)?.isBusy && socket.writableLength === 0) socket.setTimeout(unreadMs);
    else socket.destroy();
  });

/**
 * A node:http server whose requests and responses have Express's prototypes from the start. Otherwise Express sets them on every
 * request, which makes V8 in Node 20 and 22 three times slower. Only with real subclasses do all of them share one V8 shape. Slow
 * sockets are cut: 10 s for the headers, 20 s for the whole request, checked every 2 s, and 30 s in which nothing of an answer is read.
 */
export function createHttpServer(app: Express, unreadMs = 30_000): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  adoptPrototype(AppRequest.prototype, app.request);
  adoptPrototype(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  const server = createServer(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse as typeof ServerResponse,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      connectionsCheckingInterval: 2000,
      keepAliveTimeout: 65_000,
    },
    inTurn(app),
  );
  return endUnread(server, unreadMs);
}

/** Whether anything accepts connections on this local port. */
export const portIsTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export const isAdviserly = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/healthz', timeout: 1000 }, (answer) => {
      answer.resume();
      resolve(answer.headers['x-adviserly'] !== undefined);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });

export type Standing = 'starting' | 'ready' | 'stopping';

/** `/healthz`: the process runs. `/readyz`: the database takes writes, and the process neither starts nor stops. */
export function healthRoutes(context: Context, standing: () => Standing): Router {
  const router = Router();
  // Makes callers that keep connections open send their next request to another server.
  router.use((_req, res, next) => {
    if (standing() === 'stopping') res.set('connection', 'close');
    next();
  });
  router.get('/healthz', (_req, res) =>
    res.set('x-adviserly', 'yes').json({ status: 'ok', release: context.env.release }),
  );
  router.get('/readyz', async (_req, res) => {
    if (standing() !== 'ready') return void res.status(503).json({ status: standing() });
    try {
      await refuseUnlessWritable(context.db);
      res.json({ status: 'ready' });
    } catch {
      res.status(503).set('retry-after', '1').json({ status: 'database unavailable' });
    }
  });
  return router;
}
