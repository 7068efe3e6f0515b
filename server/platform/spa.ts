import fs from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Express, RequestHandler } from 'express';
import sirv from 'sirv';
import { AppError } from './app-error.ts';
import { root } from './migrate.ts';

/** A path with an extension or a leading dot is a file that is not there, never a page. */
const looksLikeFile = (url: string) => /(^|\/)\.|\.[a-z0-9]+$/i.test(url);

/** Places of machines and files: what is not there is missing, and no page of the product stands in for it. */
const neverPages = /^\/(assets|dev|metrics|sandbox)(\/|$)/i;

/** Whether a path may be a page of the app; everything else that nobody answered is a 404. */
export const mayBePage = (path: string) => !looksLikeFile(path) && !neverPages.test(path);

const onlyPages: RequestHandler = (req, _res, next) => {
  if ((req.method !== 'GET' && req.method !== 'HEAD') || !mayBePage(req.path)) throw new AppError('not_found');
  next();
};

/**
 * Tells the page whether this browser holds a session cookie, which scripts cannot see. A visitor's page then asks for
 * no user, and no refused request shows in the console.
 */
const hintSession =
  (cookieName: string): RequestHandler =>
  (req, res, next) => {
    const holds = (req.headers.cookie ?? '').split('; ').some((pair) => pair.startsWith(`${cookieName}=`));
    if (holds) res.cookie('session-hint', '1', { sameSite: 'lax', path: '/' });
    else res.clearCookie('session-hint', { sameSite: 'lax', path: '/' });
    next();
  };

/** The built pages: hashed assets for a year, precompressed; the page itself always asked for again. */
export function serveBuiltPages(app: Express, cookieName: string): void {
  const built = path.join(root, 'dist/public');
  const index = path.join(built, 'index.html');
  if (!fs.existsSync(index)) throw new Error('dist/public is missing: run "npm run build" first');
  app.use(
    sirv(built, {
      brotli: true,
      gzip: true,
      etag: true,
      extensions: [],
      ignores: false,
      setHeaders: (res, pathname) =>
        res.setHeader(
          'cache-control',
          pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    }),
  );
  app.get('/{*path}', onlyPages, hintSession(cookieName), (_req, res) => {
    res.set('cache-control', 'no-cache').sendFile(index);
  });
}

/** Development: the same pages through Vite with hot reload, on the same port. Returns how to stop it. */
export async function serveDevelopmentPages(
  app: Express,
  server: Server,
  cookieName: string,
): Promise<() => Promise<void>> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  app.use(vite.middlewares);
  app.get('/{*path}', onlyPages, hintSession(cookieName), async (req, res) => {
    const template = await fs.promises.readFile(path.join(root, 'client/index.html'), 'utf8');
    res
      .type('html')
      .set('cache-control', 'no-cache')
      .send(await vite.transformIndexHtml(req.originalUrl, template));
  });
  return () => vite.close();
}
