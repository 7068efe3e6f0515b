import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { catalogue } from '#shared/rules/tools.ts';
import { createSampleHandler } from './handler.ts';
import { contentSecurityPolicy, indexPage, messagePage } from './pages.ts';

export type SampleTool = { url: string; port: number; close(): Promise<void> };

type Options = {
  /** The preferred port; a free one if it is taken. */
  port: number;
  /** All addresses if undefined. */
  host: string | undefined;
  /** Where this server reaches Adviserly. */
  apiUrl: string;
  secretsOf: (toolId: string) => { secret: string; signingSecret: string };
  log: Logger;
};

/** One server that stands in for every seeded tool, at `/{toolId}`, and takes its events at `/{toolId}/events`. */
export async function startSampleTool({ port, host, apiUrl, secretsOf, log }: Options): Promise<SampleTool> {
  const handlers = new Map(
    catalogue.map((tool) => [tool.id, createSampleHandler({ apiUrl, toolId: tool.id, ...secretsOf(tool.id) }, tool)]),
  );
  const server = http.createServer((req, res) => {
    res.setHeader('content-security-policy', contentSecurityPolicy);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('referrer-policy', 'no-referrer');
    res.setHeader('cache-control', 'no-store');
    res.setHeader('content-type', 'text/html; charset=utf-8');
    handle(req, res).catch((error: unknown) => {
      log.warn({ err: error }, 'sample tool');
      if (!res.headersSent) res.statusCode = 502;
      res.end(messagePage('Adviserly did not answer', 'Nothing was lost. Please reload this page to try again.'));
    });
  });

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    const handler = handlers.get(path.slice(1).replace(/\/events$/, ''));
    if (handler) return handler(req, res);
    if (path === '/') return void res.end(indexPage(catalogue));
    res.statusCode = 404;
    res.end(messagePage('No such tool', 'The sample tool stands in for the tools of the catalogue only.'));
  }

  await listen(server, port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0, host);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${actual}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listen = (server: http.Server, port: number, host: string | undefined) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port, ...(host && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
