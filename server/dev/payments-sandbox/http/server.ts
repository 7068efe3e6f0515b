import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type pg from 'pg';
import { newRequestId } from '../store/objects.ts';
import { answer } from './answer.ts';
import { SandboxError } from './error.ts';

type Write = (about: object, message: string) => void;
export type Log = { debug: Write; warn: Write; error: Write };

/** What a request says in its address and its body. */
export const formOf = ({ originalUrl, body }: Request) =>
  [originalUrl.split('?')[1], body as unknown].filter((part) => typeof part === 'string' && part).join('&');

/** The address the SDK talks to. On loopback only, on a port of the system's choosing. */
export async function listen(
  pool: pg.Pool,
  { secret, log, seconds, changed }: { secret: string; log: Log; seconds: () => number; changed: () => void },
) {
  const app = express();
  app.use(express.text({ type: () => true, limit: '1mb' }), async (request, response) => {
    const requestId = newRequestId();
    response.set('request-id', requestId);
    if (request.get('authorization') !== `Bearer ${secret}`)
      throw new SandboxError('Invalid API Key provided. The payments sandbox has one secret key.', { status: 401 });
    const { method, path } = request;
    const call = { method, path, form: formOf(request), requestId, key: request.get('idempotency-key') };
    const { status, body, replayed } = await answer(pool, seconds(), call);
    if (method !== 'GET') changed();
    if (replayed) response.set('idempotent-replayed', 'true');
    response.status(status).json(body);
  });
  app.use((error: unknown, { method, path }: Request, response: Response, _next: NextFunction) => {
    if (error instanceof SandboxError) {
      const { status, body } = error.answer();
      return void response.status(status).json(body);
    }
    log.error({ err: error, method, path }, 'payments sandbox: fault');
    response.status(500).json({ error: { type: 'api_error', message: 'The payments sandbox failed.' } });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
