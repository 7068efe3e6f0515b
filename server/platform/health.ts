import { Router } from 'express';
import type { Context } from './context.ts';

/** `/healthz`: the process lives. `/readyz`: it may get requests, which ends when it is told to stop. */
export function healthRoutes(context: Context, isStopping: () => boolean): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => res.set('x-adviserly', 'yes').json({ status: 'ok' }));
  router.get('/readyz', async (_req, res) => {
    if (isStopping()) return void res.status(503).json({ status: 'stopping' });
    try {
      await context.db.execute('select 1');
      res.json({ status: 'ready' });
    } catch {
      res.status(503).set('retry-after', '1').json({ status: 'database unavailable' });
    }
  });
  return router;
}
