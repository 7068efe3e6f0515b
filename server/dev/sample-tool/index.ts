import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Purpose } from '#shared/rules/record/record.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { createSampleHandler, listener } from './handler.ts';
import { html } from './html.ts';
import { outputOf } from './outputs.ts';
import { messagePage, page } from './pages.ts';

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

/** What a tool says its sessions are for. */
export const purposeOf: Record<string, Purpose> = {
  'risk-profile-ai': 'risk_profile',
  'fact-find-ai': 'fact_find',
  'file-note-ai': 'file_note',
  'pre-fill-ai': 'form',
  'lost-money-ai': 'research',
};

const indexPage = page(
  'Adviserly sample tool',
  html`<h1>Adviserly sample tool</h1>
    <p>It stands in for every tool of the catalogue in development. Open one from your dashboard:</p>
    <ul>
      ${catalogue.map((tool) => html`<li>${tool.name}</li>`)}
    </ul>`,
);

/** One server that stands in for every seeded tool, at `/{toolId}`, and takes its events at `/{toolId}/events`. */
export async function startSampleTool({ port, host, apiUrl, secretsOf, log }: Options): Promise<SampleTool> {
  const handlers = new Map(
    catalogue.map((tool) => {
      const output = outputOf(tool.id);
      const adviserly = { apiUrl, toolId: tool.id, ...secretsOf(tool.id) };
      return [
        tool.id,
        createSampleHandler(adviserly, {
          ...tool,
          purpose: purposeOf[tool.id],
          ...(output && { output }),
        }),
      ];
    }),
  );
  const server = http.createServer(listener(handle, (error) => log.warn({ err: error }, 'sample tool')));

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    const handler = handlers.get(path.slice(1).replace(/\/events$/, ''));
    if (handler) return handler(req, res);
    if (path === '/') return void res.end(indexPage);
    res.statusCode = 404;
    res.end(messagePage('No such tool', 'The sample tool stands in for the tools of the catalogue only.'));
  }

  const actual = await listenNear(server, port, host);
  return { url: `http://localhost:${actual}`, port: actual, close: () => closeAll(server) };
}

/** Listens on this port, or on a free one if it is taken; returns which. */
export async function listenNear(server: http.Server, port: number, host: string | undefined): Promise<number> {
  await listen(server, port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0, host);
  });
  return (server.address() as AddressInfo).port;
}

export const closeAll = (server: http.Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const listen = (server: http.Server, port: number, host: string | undefined) =>
  once(server.listen({ port, ...(host && { host }) }), 'listening');
