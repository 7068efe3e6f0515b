import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, Meter, Span, SpanKind, Tracer } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type pg from 'pg';
import { sendByOtlp } from '../env.ts';

type Kind = keyof typeof SpanKind;
type Started = { api: typeof import('@opentelemetry/api'); tracer: Tracer; meter: Meter };

/** Absent unless switched on: without it, nothing here does anything and no part of OpenTelemetry is loaded. */
let started: Started | undefined;

/** How long a stop waits for the collector. */
const lastExportMs = 3000;

/**
 * Sends traces and metrics to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names; OpenTelemetry's own variables say how, and how
 * often. Returns a function that stops it.
 */
export async function startTelemetry(): Promise<() => Promise<void>> {
  sendByOtlp();
  const [api, { NodeSDK, resources }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-node'),
  ]);
  // Sends only what OTEL_RESOURCE_ATTRIBUTES says about the machine; process and host would add user names and command lines.
  const sdk = new NodeSDK({ instrumentations: [], resourceDetectors: [resources.envDetector] });
  sdk.start();
  started = { api, tracer: api.trace.getTracer('adviserly'), meter: api.metrics.getMeter('adviserly') };
  return async () => {
    started = undefined;
    await Promise.race([sdk.shutdown().catch(() => undefined), sleep(lastExportMs, undefined, { ref: false })]);
  };
}

type About = { kind?: Kind; attributes?: Attributes; carried?: string | undefined };

/** The kind of failure, never its message, which may quote what somebody typed. */
const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return failureOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
};

/** Does the work as a span of the current trace, or of the one that was `carried` here. */
export async function traced<T>(
  name: string,
  { kind = 'INTERNAL', attributes = {}, carried }: About,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!started) return work();
  const { api, tracer } = started;
  const from = carried ? api.propagation.extract(api.ROOT_CONTEXT, { traceparent: carried }) : api.context.active();
  return tracer.startActiveSpan(name, { kind: api.SpanKind[kind], attributes }, from, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', failureOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The current trace, to be continued elsewhere, such as by a job (W3C `traceparent`). */
export function traceToCarry(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  if (started) started.api.propagation.inject(started.api.context.active(), carrier);
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent };
}

/**
 * Begins a trace with each request. A trace that the caller names is ignored, as its request id is. Only the route's pattern is
 * recorded, neither address nor body.
 */
export function traceRequests(): RequestHandler[] {
  if (!started) return [];
  const { api, tracer } = started;
  return [
    (req, res, next) => {
      const attributes = { 'http.request.method': req.method };
      const span = tracer.startSpan(req.method, { kind: api.SpanKind.SERVER, attributes }, api.ROOT_CONTEXT);
      req.traceId = span.spanContext().traceId;
      res.once('close', () => {
        const route = (req.route as { path?: unknown } | undefined)?.path;
        if (typeof route === 'string') span.updateName(`${req.method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', res.statusCode);
        if (res.statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      });
      api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, span), next);
    },
  ];
}

declare global {
  namespace Express {
    interface Request {
      /** In the request's log line, where traces are on. */
      traceId?: string;
    }
  }
}

type Ask = (...given: unknown[]) => unknown;
type Config = string | { name?: string; text?: string };

/** Makes each query a span of its trace. The text has placeholders; values are not recorded. */
function tracedQuery(ask: Ask): Ask {
  return (...given) => {
    // With a callback, it is the pool's own call for a query that already has its span.
    if (!started?.api.trace.getActiveSpan() || given.some((one) => typeof one === 'function')) return ask(...given);
    const config = given[0] as Config;
    const { name, text = '' } = typeof config === 'string' ? { text: config } : config;
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.replace(/\s+/g, ' ').slice(0, 500),
    };
    return traced(name ?? operation, { kind: 'CLIENT', attributes }, () => ask(...given) as Promise<unknown>);
  };
}

/** Records every query of this pool, and of the connections it lends, as a span. */
export function traceQueries(pool: pg.Pool): void {
  if (!started) return;
  const asking = (one: pg.Pool | pg.PoolClient) =>
    Object.assign(one, { query: tracedQuery(one.query.bind(one) as Ask) });
  asking(pool);
  pool.on('connect', asking);
}

/** Registers a figure that is read whenever metrics are sent. */
export function observe(name: string, description: string, read: () => Promise<number> | number): void {
  started?.meter.createObservableGauge(name, { description }).addCallback(async (result) => {
    result.observe(await read());
  });
}

/** Returns a function that records durations, in seconds. */
export function durations(name: string, description: string, boundaries: number[]) {
  const advice = { explicitBucketBoundaries: boundaries };
  const histogram = started?.meter.createHistogram(name, { description, unit: 's', advice });
  return (seconds: number, attributes: Attributes) => histogram?.record(seconds, attributes);
}
