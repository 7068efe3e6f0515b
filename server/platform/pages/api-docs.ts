import { createRequire } from 'node:module';
import path from 'node:path';
import express, { Router } from 'express';
import { brand } from '#shared/brand.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import type { Env } from '../env.ts';
import { hour } from '#shared/rules/dates.ts';
import { openApi } from './openapi.ts';
import { toolGuide } from './tool-guide.ts';

const viewer = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const assets = '/api/docs/viewer';
const wanted = /^\/(swagger-ui\.css|swagger-ui-bundle\.js)$/;

/** The viewer uses `data:` icons and sets styles from its script, but runs no inline scripts and fetches only from us. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API · ${brand.name}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<script src="${assets}/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({
  url: '/api/docs/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

/** What the calls are for, in reading order; a tool's developer needs only the first group. */
const nouns: Record<keyof typeof contract, string> = {
  tools: 'The catalogue and launches. A tool’s server calls introspect and usage, with its tool id and secret.',
  accounts: 'Sign-up, sign-in and profile, for the browser with its session cookie.',
  security: 'Passwords, sessions, export and closure of an account.',
  identities: 'Sign-in with Microsoft or Google.',
  factors: 'Two-step verification, and the proof that dangerous calls ask for.',
  subscriptions: 'What an adviser or a team has, and what it costs.',
  billing: 'Card, address and invoices.',
  books: 'What the bookkeeper of a payer gets, and the statement of a financial year.',
  teams: 'Practices and their members.',
  toolUsers: 'Who of a practice uses which of its tools.',
  analytics: 'What the tools report.',
  record: 'The record of AI use: sessions and their reviews, what a practice allows, what makers say.',
  asks: 'Tools that members ask their practice for.',
  recalls: 'Sessions to look at again, because a tool may have erred: an adviser’s or a practice’s.',
  notifications: 'Notices for an adviser.',
  reminders: 'How an adviser is reminded of renewals.',
  site: 'Public pages.',
  business: 'For administrators: how the business goes.',
  admin: 'For administrators; writes carry a CSRF token.',
  acts: 'What administrators do for a person: refunds, trials, cancellations.',
  approvals: 'What one administrator asks and a second one approves.',
  developers: 'Makers of tools: what they register, try out and have published',
  publications: 'Which tools of makers are published',
  evidence: 'Evidence packs: the record of AI use as files in which a later change shows.',
  catalogue: 'What tools cost, set by administrators',
  offers: 'Bulk discounts and offers to come back, set by administrators',
  codes: 'Discount codes, made by administrators',
  toolRecalls: 'Recalls of tools by their makers.',
  adminRecalls: 'Recalls of any tool by administrators.',
  closedRecord: 'The record of AI use of closed practices, for administrators.',
  oversight: 'Audit and incidents, for administrators.',
};

/** `/api/docs`: the viewer, from our own files; `openapi.json`, from the contract; `tools.json`, what a tool’s server calls; the guide. */
export function apiDocs(env: Pick<Env, 'appUrl'>): Router {
  const router = Router();
  const files = express.static(viewer, { index: false, maxAge: hour });
  const documentAt = (path: string, isShown?: (endpoint: Endpoint) => boolean) => {
    // One copy, however many answers are on their way.
    let document: Buffer | undefined;
    router.get(path, (_req, res) => {
      document ??= Buffer.from(JSON.stringify(openApi(contract, nouns, env.appUrl, isShown)));
      res.type('application/json').set('cache-control', 'public, max-age=300').send(document);
    });
  };
  documentAt('/api/docs/openapi.json');
  documentAt('/api/docs/tools.json', ({ access }) => access === 'tool');
  router.use(toolGuide(env.appUrl));
  router.get('/api/docs', (_req, res) => {
    res.type('html').set('content-security-policy', policy).send(page);
  });
  router.get('/api/docs/start.js', (_req, res) => {
    res.type('text/javascript').set('cache-control', 'public, max-age=300').send(start);
  });
  router.use(assets, (req, res, next) => (wanted.test(req.path) ? files(req, res, next) : next()));
  return router;
}
