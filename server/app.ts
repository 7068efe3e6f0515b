import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import type pg from 'pg';
import { contract } from '#shared/api/index.ts';
import { accountsRoutes } from '#server/accounts/routes.ts';
import { checkPassword } from '#server/accounts/service.ts';
import { adminNetworks, adminRoutes } from '#server/admin/routes.ts';
import { analyticsRoutes } from '#server/analytics/routes.ts';
import { auditRefusals } from '#server/audit/refusals.ts';
import { billingRoutes } from '#server/billing/routes.ts';
import { booksRoutes } from '#server/books/routes.ts';
import { stripeWebhook } from '#server/billing/webhook.ts';
import { notificationsRoutes } from '#server/notifications/routes.ts';
import { apiDocs } from '#server/platform/pages/api-docs.ts';
import { calledBy, type Context } from '#server/platform/context.ts';
import { errorHandler, unknownCall } from '#server/platform/http/error-handler.ts';
import { evidenceRoutes } from '#server/evidence/routes.ts';
import { forwardedWithoutPorts } from '#server/platform/http/networks.ts';
import { jsonBody } from '#server/platform/http/parse-input.ts';
import { otherMethods, readsOf } from '#server/platform/http/implement.ts';
import { apiHeaders, securityHeaders } from '#server/platform/http/headers.ts';
import { healthRoutes, type Standing } from '#server/platform/http/http-server.ts';
import { requestLog } from '#server/platform/logs/log.ts';
import { createMetrics } from '#server/platform/logs/metrics.ts';
import { schemeOfAppUrl } from '#server/platform/http/cookies.ts';
import { oneHost, ownHost } from '#server/platform/http/own-host.ts';
import { traceRequests } from '#server/platform/logs/telemetry.ts';
import { sameOrigin } from '#server/platform/http/same-origin.ts';
import { createSessions } from '#server/platform/http/session.ts';
import { recallRoutes } from '#server/recalls/routes.ts';
import { recordRoutes } from '#server/record/routes.ts';
import { siteRoutes } from '#server/site/routes.ts';
import { subscriptionsRoutes } from '#server/subscriptions/routes.ts';
import { teamsRoutes, toolUsersRoutes } from '#server/teams/routes.ts';
import { developersRoutes } from '#server/developers/routes.ts';
import { toolsRoutes } from '#server/tools/routes.ts';

const toolCalls = Object.values(contract.tools).filter(({ access }) => access === 'tool');

/** Calls from other servers and mail programs, which carry a signature, a tool's credentials or a token, and no cookie. */
const withoutCookie = [
  '/api/webhooks/stripe',
  ...toolCalls.map(({ path }) => path),
  '/api/unsubscribe',
  '/api/bookkeeper/stop',
].map((path) => new RegExp(`^${path.replace(/:\w+/, '[^/]+')}$`));
const isWithoutCookie = (path: string) => withoutCookie.some((address) => address.test(path));

/** Skips the handler for those calls. */
const withCookie =
  (handle: RequestHandler): RequestHandler =>
  (req, res, next) =>
    isWithoutCookie(req.baseUrl + req.path) ? next() : handle(req, res, next);

export type AppOptions = {
  standing?: () => Standing;
  /** Mounts the development-only parts and the sandbox's browser side, behind session and user. */
  mount?: (app: Express) => void;
};

/** The whole middleware stack, in order, and its reads. The pages come after it (server/platform/pages/spa.ts), then `finish`. */
export function createApp(context: Context, { standing = () => 'ready', mount }: AppOptions = {}) {
  const app = express();
  const sessions = createSessions(context.env, context.db.$client as pg.Pool, (email, password, request) =>
    checkPassword(calledBy(context, request), email, password),
  );
  app.disable('x-powered-by').disable('etag').set('trust proxy', context.env.trustProxy).set('query parser', 'simple');

  if (context.env.trustProxy !== false) app.use(forwardedWithoutPorts);

  const metrics = createMetrics(context);
  app.use(['/healthz', '/readyz', '/metrics'], apiHeaders(context.env));
  app.use(healthRoutes(context, standing));
  app.use(...traceRequests(), requestLog(context.log), metrics.measure, oneHost, schemeOfAppUrl(context));
  if (context.env.mode === 'development') app.use(ownHost(context.env));
  app.use(metrics.routes);
  app.use('/api', apiHeaders(context.env), businessDate(context));
  app.post('/api/webhooks/stripe', express.raw({ type: 'application/json', limit: '1mb' }), stripeWebhook(context));
  app.use('/api', sameOrigin(context.env.appUrl, isWithoutCookie), jsonBody(), ...sessions.middleware.map(withCookie));

  app.use(['/admin', '/api/admin'], adminNetworks(context));
  const rooms = [
    accountsRoutes(context, sessions),
    toolsRoutes(context),
    ...evidenceRoutes(context),
    recordRoutes(context),
    recallRoutes(context),
    developersRoutes(context),
    subscriptionsRoutes(context),
    billingRoutes(context),
    teamsRoutes(context),
    toolUsersRoutes(context),
    booksRoutes(context),
    analyticsRoutes(context),
    notificationsRoutes(context),
    adminRoutes(context),
    siteRoutes(context),
  ].flat();
  app.use(...rooms);
  // The rooms compress their own long answers (platform/respond.ts).
  app.use(compression(), apiDocs(context.env));
  app.use('/api', otherMethods(contract), unknownCall);
  app.use(auditRefusals(context));

  app.use(securityHeaders(context.env));

  mount?.(app);
  return { app, reads: readsOf(rooms) };
}

/** Ends the stack, after the pages. */
export const finish = (app: Express) => app.use(unknownCall, errorHandler);

/** Sends business time with every answer, so that the browser's "in 3 days" agrees with ours. */
const businessDate =
  (context: Context): RequestHandler =>
  (_req, res, next) => {
    res.set('business-date', context.now().toISOString());
    next();
  };
