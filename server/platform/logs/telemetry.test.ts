import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listenLocally } from '#server/testing/ports.ts';
import { buy } from '#server/testing/purchases.ts';
import { startTestApp } from '#server/testing/test-app.ts';
import { startTelemetry } from './telemetry.ts';

type Value = { stringValue?: string; intValue?: number };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
};
type Traces = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
type Metrics = { resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[] };

/** What a collector of our own was sent (OTLP over HTTP, as JSON), while somebody bought a tool and changed their address. */
const bodies = new Map<string, string[]>();
let spans: Span[] = [];
const address = { line1: '77 Unmistakable Parade', line2: '', city: 'Sydney', state: 'NSW', postcode: '2000' };
const person = { firstName: 'Quintessa', lastName: 'Obermeier', mobile: '0498 765 432' };
let email = '';

beforeAll(async () => {
  const collector = await listenLocally(
    http.createServer((req, res) => {
      const parts: Buffer[] = [];
      req.on('data', (part: Buffer) => parts.push(part));
      req.on('end', () => {
        const whole = Buffer.concat(parts);
        const text = String(req.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole);
        bodies.set(req.url!, [...(bodies.get(req.url!) ?? []), text]);
        res.setHeader('content-type', 'application/json').end('{}');
      });
    }),
  );
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');
  const stop = await startTelemetry();
  const app = await startTestApp();
  const { agent, user } = await app.signedIn(person);
  email = user.email;
  await buy(app, agent, 'risk-profile-ai');
  await agent.put('/api/billing/address').send(address).expect(200);
  await agent
    .get('/api/user/usage')
    .set('traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
    .expect(200);
  await app.context.queue.drain();
  await stop();
  await app.stop();
  await collector.stop();
  vi.unstubAllEnvs();
  spans = (bodies.get('/v1/traces') ?? []).flatMap((text) =>
    (JSON.parse(text) as Traces).resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
  );
});
afterAll(() => vi.unstubAllEnvs());

const named = (name: string) => spans.filter((span) => span.name === name);
/** The names of all spans from this one up to the request. */
const upwards = (span: Span): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? upwards(parent) : [])];
};
const attribute = (span: Span, name: string) => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

describe('traces', () => {
  it('lead from a request to its job, and from there to Stripe', () => {
    const paths = spans.filter(({ name }) => name === 'stripe POST /v1/customers/:id').map(upwards);
    const job = paths.find((path) => path.at(-1) === 'PUT /api/billing/address');
    expect(job, JSON.stringify(paths)).toHaveLength(3);
    expect(job![1]).toMatch(/^job /);
  });

  it('lead from a request to its queries and to Stripe, with what came of them', () => {
    const [request] = named('POST /api/create-subscription');
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === request!.spanId);
    expect(attribute(request!, 'http.response.status_code')).toBe(200);
    const stripe = steps.find(({ name }) => name === 'stripe POST /v1/subscriptions');
    expect(attribute(stripe!, 'http.response.status_code')).toBe(200);
    const queries = steps.filter((step) => attribute(step, 'db.operation.name') === 'INSERT');
    expect(queries.map((step) => attribute(step, 'db.query.text'))).toContainEqual(
      expect.stringMatching(/^insert into "tool_subscriptions"/),
    );
    expect(new Set(steps.map(({ traceId }) => traceId))).toEqual(new Set([request!.traceId]));
  });

  it('begin here, whatever a caller sends', () => {
    const [request] = named('GET /api/user/usage');
    expect(request!.traceId).not.toBe('a'.repeat(32));
    expect(request!.parentSpanId ?? '').toBe('');
  });

  it('tell nothing of anybody', () => {
    // Ids and times are left out: their digits are arbitrary and could match by chance.
    const words = (key: string, value: unknown) =>
      /(Id|UnixNano)$/.test(key) || typeof value === 'number' ? undefined : value;
    const all = [...bodies.values()]
      .flat()
      .map((body) => JSON.stringify(JSON.parse(body, words)))
      .join('\n');
    expect(all).toContain('/api/billing/address');
    for (const secret of [email, ...Object.values(person), address.line1, 'whsec_', 'sk_test', '4242'])
      expect(all, secret).not.toContain(secret);
  });
});

it('the metrics that we send are those of /metrics', () => {
  const names = (bodies.get('/v1/metrics') ?? []).flatMap((text) =>
    (JSON.parse(text) as Metrics).resourceMetrics.flatMap((one) =>
      one.scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name)),
    ),
  );
  expect(new Set(names)).toEqual(
    new Set([
      'dispute_age_seconds',
      'http_request_duration_seconds',
      'db_pool_connections',
      'db_pool_idle',
      'db_pool_waiting',
      'queue_due',
      'queue_oldest_due_seconds',
      'queue_failed',
      'webhook_lag_seconds',
      'webhooks_parked',
      'mails_unsent',
    ]),
  );
});
