import { timingSafeEqual } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../http/app-error.ts';
import type { Context } from '../context.ts';
import { durations, observe } from './telemetry.ts';
import { hashToken } from '../crypto/tokens.ts';

/** The product's metrics, besides Node's own (event-loop delay, memory). Durations in seconds. */
export function createMetrics(context: Context): { measure: RequestHandler; routes: Router } {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const [name, help] = ['http_request_duration_seconds', 'Requests by method, route and status'];
  const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const requests = new Histogram({ name, help, labelNames: ['method', 'route', 'status'], buckets, registers });
  const failed = new Counter({ name: 'http_errors_total', help: 'Answers of 500, since the start', registers });
  const sent = durations(name, help, buckets);
  const build = { name: 'adviserly_build_info', help: 'The release that runs', labelNames: ['release'], registers };
  new Gauge(build).set({ release: context.env.release }, 1);
  addStateGauges(context, registers);

  const measure: RequestHandler = (req, res, next) => {
    const startedAt = performance.now();
    res.once('finish', () => {
      // The route's pattern, not the URL: every id, token or scanner's guess would become a series of its own.
      const route = (req.route as { path?: unknown } | undefined)?.path;
      const labels = { method: req.method, route: typeof route === 'string' ? route : 'other', status: res.statusCode };
      const seconds = (performance.now() - startedAt) / 1000;
      requests.observe(labels, seconds);
      if (res.statusCode === 500) failed.inc();
      sent(seconds, labels);
    });
    next();
  };

  const routes = Router();
  routes.get('/metrics', allowed(context), async (_req, res) => {
    res
      .type(registry.contentType)
      .set('cache-control', 'no-store')
      .send(await registry.metrics());
  });
  return { measure, routes };
}

/** Gauges that are read from Postgres when asked for, so that every replica reports the same shared state. */
function addStateGauges({ db, queue }: Context, registers: Registry[]): void {
  const pool = db.$client as pg.Pool;
  const gauge = (name: string, help: string, read: () => Promise<number> | number) => {
    observe(name, help, read);
    return new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  };
  const one = async (sql: string) => Number(((await pool.query(sql)).rows as { value: unknown }[])[0]?.value ?? 0);
  gauge('db_pool_connections', 'Open connections to PostgreSQL', () => pool.totalCount);
  gauge('db_pool_idle', 'Open connections to PostgreSQL that are unused', () => pool.idleCount);
  gauge('db_pool_waiting', 'Requests that wait for one', () => pool.waitingCount);
  gauge('queue_due', 'Jobs that could run now', () =>
    one(`select count(*) as value from pgboss.job where state in ('created', 'retry') and start_after <= now()`),
  );
  gauge('queue_oldest_due_seconds', 'How long the first of them has waited', () =>
    one(
      `select coalesce(extract(epoch from now() - min(start_after)), 0) as value
       from pgboss.job where state in ('created', 'retry') and start_after <= now()`,
    ),
  );
  gauge('queue_failed', 'Jobs that failed their last attempt', async () =>
    Object.values(await queue.failedCounts()).reduce((sum, count) => sum + count, 0),
  );
  gauge('webhook_lag_seconds', 'Age of the oldest Stripe event that is not processed', () =>
    one(
      `select coalesce(extract(epoch from now() - min(received_at)), 0) as value from stripe_events where status = 'pending'`,
    ),
  );
  gauge('webhooks_parked', 'Stripe events that failed their last attempt', () =>
    one(`select count(*) as value from stripe_events where status = 'parked' and type not like 'charge.dispute.%'`),
  );
  // Its deadline is in the incident, and in the mail that told administrators when it was opened.
  gauge('dispute_age_seconds', 'How long the oldest dispute has been open', () =>
    one(
      `select coalesce(extract(epoch from now() - min(received_at)), 0) as value
       from stripe_events where status = 'parked' and type like 'charge.dispute.%'`,
    ),
  );
  gauge('mails_unsent', 'Mails not yet delivered, and not given up', () =>
    one(`select count(*) as value from mails where sent_at is null and text_body <> ''`),
  );
}

/** Checks the bearer token in constant time. Without a configured token only development answers. */
const allowed =
  ({ env }: Context): RequestHandler =>
  (req, _res, next) => {
    if (env.metricsToken === undefined) {
      if (env.mode !== 'development') throw new AppError('not_found');
      return next();
    }
    const given = /^Bearer (\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? '';
    const digest = (token: string) => Buffer.from(hashToken(token));
    if (!timingSafeEqual(digest(given), digest(env.metricsToken))) throw new AppError('not_found');
    next();
  };
