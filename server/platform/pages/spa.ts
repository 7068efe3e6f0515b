import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { PageData } from '#shared/api/page-data.ts';
import { AppError } from '../http/app-error.ts';
import type { Env } from '../env.ts';
import { offeredIn } from '../env-sign-in.ts';
import { unknownCall } from '../http/error-handler.ts';
import { root } from '../data/migrate.ts';
import { builtFiles } from './built-files.ts';
import { createDocuments, headOf, type RenderFrame, type RenderPage } from './page-documents.ts';
import type { Manifest } from './first-views.ts';
import { fillTemplate, type OwnAnswers } from './page-html.ts';
import { cookieIn, cookieName, cookieOptions } from '../http/cookies.ts';
import { sessionCookie } from '../http/session.ts';
import { siteFiles } from './site-files.ts';

/** A path with an extension or a leading dot is a missing file, never a page. */
const looksLikeFile = (url: string) => /(^|\/)\.|\.[a-z0-9]+$/i.test(url);

/** Paths under which there are no pages: whatever is missing there is a 404. */
const neverPages = /^\/(assets|dev|metrics|sandbox)(\/|$)/i;

/** Whether a path may be a page of the app; everything else is a 404. */
export const mayBePage = (path: string) => !looksLikeFile(path) && !neverPages.test(path);

const onlyPages: RequestHandler = (req, _res, next) => {
  if ((req.method !== 'GET' && req.method !== 'HEAD') || !mayBePage(req.path)) throw new AppError('not_found');
  next();
};

/**
 * Tells the page, by a cookie that scripts can read, whether this browser has a session cookie, which they can't; returns the same.
 * A visitor's page then does not ask for the user, which would show as a refused request in the console.
 */
export function hintSession(req: Request, res: Response, env: Env): boolean {
  const holds = cookieIn(env, req.headers.cookie, sessionCookie) !== undefined;
  const name = cookieName(env, 'session-hint');
  const options = { ...cookieOptions(env), httpOnly: false };
  if (holds) res.cookie(name, '1', options);
  else res.clearCookie(name, options);
  return holds;
}

type BuiltOptions = {
  env: Env;
  log: Logger;
  /** The data of the rendered pages. */
  data: (toolId?: string) => Promise<PageData>;
  /** The answers that come with a page of somebody signed in. */
  own: (req: Request, res: Response) => Promise<OwnAnswers | null>;
};

/** Serves the built pages: precompressed assets are cached for a year, pages are revalidated each time. */
export function serveBuiltPages(app: Express, { env, log, data, own }: BuiltOptions): void {
  const built = path.join(root, 'dist/public');
  const index = path.join(built, 'index.html');
  const renderer = path.join(root, 'dist/prerender/prerender.js');
  for (const file of [index, renderer])
    if (!fs.existsSync(file)) throw new Error(`${path.relative(root, file)} is missing: run "npm run build" first`);
  app.use(siteFiles(env.appUrl));
  // The bare template is not a page.
  app.get('/index.html', unknownCall);
  app.use(builtFiles(built));
  // Loaded for the first visitor, so that it doesn't slow down the start.
  const rendering = () =>
    import(pathToFileURL(renderer).href) as Promise<{ render: RenderPage; renderFrame: RenderFrame }>;
  const answer = createDocuments({
    template: fs.readFileSync(index, 'utf8'),
    env,
    render: async (at) => (await rendering()).render(at),
    frame: async (...of) => (await rendering()).renderFrame(...of),
    data,
    own,
    manifest: JSON.parse(fs.readFileSync(path.join(built, '.vite/manifest.json'), 'utf8')) as Manifest,
    log,
  });
  app.get('/{*path}', onlyPages, (req, res) => answer(req, res, hintSession(req, res, env)));
}

/**
 * Serves the pages in development through Vite, rendered in the browser. Returns a function that stops it. Hot reload has a port of its
 * own: a listener for upgrades on ours would be handed every request that offers one, such as those of Java's HTTP client, and a
 * server may as well ignore the offer (RFC 9110, 7.8).
 */
export async function serveDevelopmentPages(app: Express, env: Env): Promise<() => Promise<void>> {
  const { createServer } = await import('vite');
  const reloads = http.createServer();
  await once(reloads.listen(0, env.host), 'listening');
  const { port: clientPort } = reloads.address() as AddressInfo;
  const vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    appType: 'custom',
    server: {
      middlewareMode: true,
      ws: { server: reloads, clientPort },
      allowedHosts: [new URL(env.appUrl).hostname, ...env.allowedHosts],
    },
  });
  app.use(siteFiles(env.appUrl));
  app.use(vite.middlewares);
  app.get('/{*path}', onlyPages, async (req, res) => {
    hintSession(req, res, env);
    const source = await fs.promises.readFile(path.join(root, 'client/index.html'), 'utf8');
    const template = await vite.transformIndexHtml(req.originalUrl, source);
    res
      .type('html')
      .set('cache-control', 'no-cache')
      .send(fillTemplate(template, { ...env, signInWith: offeredIn(env.identityClients), head: headOf(req) }));
  });
  return async () => {
    await vite.close();
    reloads.close();
  };
}
