import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import { claimIds } from '#shared/rules/claims.ts';
import { parseProviders } from '#shared/rules/people/providers.ts';
import { CannotStart } from './cannot-start.ts';
import { crossFaults, secretsIn, warningsOf, type Source } from './env-rules.ts';
import { sellerOf, sellerVariables } from './env-seller.ts';
import { identityClientsOf, signInVariables } from './env-sign-in.ts';
import { parseNetworks } from './http/networks.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 1 to 65535')
  .transform(Number)
  .refine((n) => n >= 1 && n <= 65_535, 'must be a port number from 1 to 65535');

const onOff = z.enum(['on', 'off'], 'must be "on" or "off"').transform((value) => value === 'on');

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://adviserly.example' })
  .refine((value) => /^https?:\/\/[^/?#]+\/?$/.test(value), 'must be an origin, without path or query')
  .transform((value) => new URL(value).origin);

const token = z.string().min(16, 'must have at least 16 characters');

const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);
const listOf = <Item extends z.ZodType<string, string>>(item: Item) => z.string().transform(words).pipe(z.array(item));

const domains = listOf(
  z
    .string()
    .transform((domain) => domain.toLowerCase().replace(/^@/, ''))
    .pipe(z.string().regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a list of domains such as "example.com.au"')),
);

const claimList = listOf(z.enum(claimIds, `must be a list of these: ${claimIds.join(', ')}`));

const providerForm = 'hosting: Example Cloud (Australia); payments: Stripe (Australia, United States)';
const providers = z.string().transform((value, context) => {
  const list = parseProviders(value);
  if (list) return list;
  context.addIssue({ code: 'custom', message: `must name who works for us and where, such as "${providerForm}"` });
  return z.NEVER;
});

const hosts = listOf(
  z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9.-]+$/, 'must be a list of host names, without ports, such as "box.local"'),
);

/** Several, so that they can be changed: the first makes new things, the others still open older ones. */
export type Secrets = [string, ...string[]];

const secrets = z.string().transform((value) => secretsIn(value) as Secrets);

/** The number of proxies in front of us, or their addresses. Trusting everybody is deliberately not possible. */
const trustProxy = z.string().transform((value, context) => {
  if (/^\d{1,2}$/.test(value)) return Number(value) || false;
  const addresses = value.split(',').map((part) => part.trim());
  if (addresses.every((part) => proxyNames.includes(part) || /^[\da-f.:]+(\/\d{1,3})?$/i.test(part))) return addresses;
  context.addIssue({ code: 'custom', message: 'must be a number of proxies, or their addresses separated by commas' });
  return z.NEVER;
});

const networks = z.string().transform((value, context) => {
  const list = parseNetworks(value);
  if (list) return list;
  context.addIssue({ code: 'custom', message: 'must be a list of networks such as "203.0.113.0/24, 2001:db8::/48"' });
  return z.NEVER;
});

const startsWith = (pattern: RegExp, example: string) => z.string().regex(pattern, `must look like ${example}`);

const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development'),
  RELEASE: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, 'must be a name such as 1.4.0 or a revision')
    .optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).optional(),
  PORT: port.default(3000),
  HOST: z
    .string()
    .refine((value) => value === 'localhost' || isIP(value) > 0, 'must be an address such as 0.0.0.0')
    .optional(),
  ALLOWED_HOSTS: hosts.default([]),
  APP_URL: origin.optional(),
  DATABASE: z.literal('embedded', 'may only be "embedded"').optional(),
  DATABASE_URL: startsWith(/^postgres(ql)?:\/\/[^\s]+$/, 'postgresql://user:password@host:5432/name').optional(),
  MIGRATION_DATABASE_URL: startsWith(
    /^postgres(ql)?:\/\/[^\s]+$/,
    'postgresql://owner:password@host:5432/name',
  ).optional(),
  DATABASE_CONNECTIONS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of connections from 2 to 200')
    .transform(Number)
    .refine((count) => count >= 2 && count <= 200, 'must be a number of connections from 2 to 200')
    .default(10),
  DATA_DIR: z.string().default('.data'),
  SESSION_SECRET: secrets.optional(),
  FACTOR_SECRET: secrets.optional(),
  ADMIN_SECOND_FACTOR: onOff.optional(),
  APP_CODE_DRIFT: onOff.default(true),
  ADMIN_NETWORKS: networks.optional(),
  FOUR_EYES: onOff.optional(),
  STRIPE_SECRET_KEY: startsWith(/^(sk|rk)_(test|live)_\w+$/, 'sk_live_…').optional(),
  STRIPE_PUBLISHABLE_KEY: startsWith(/^pk_(test|live)_\w+$/, 'pk_live_…').optional(),
  STRIPE_WEBHOOK_SECRET: startsWith(/^whsec_\S+$/, 'whsec_…').optional(),
  SMTP_URL: startsWith(/^smtps?:\/\/[^\s]+$/, 'smtps://user:password@host:465').optional(),
  MAIL_FROM: startsWith(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'Adviserly <hello@adviserly.example>').optional(),
  ...sellerVariables,
  ...signInVariables,
  SETUP_TOKEN: token.optional(),
  PARTNER_EMAIL_DOMAINS: domains.default([]),
  JOBS: onOff.default(true),
  PAYMENTS: z.literal('sandbox', 'may only be "sandbox"').optional(),
  PUBLIC_CLAIMS: claimList.optional(),
  PROVIDERS: providers.optional(),
  TIMESTAMP_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://timestamp.example/tsr' })
    .optional(),
  METRICS_TOKEN: token.optional(),
  TRUST_PROXY: trustProxy.default(false),
  DEMO_DATA: z.enum(['on', 'off', 'keep'], 'must be "on", "off" or "keep"').optional(),
  SAMPLE_TOOL_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://collector:4318' })
    .optional(),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number of seconds from 0 to 99')
    .transform(Number)
    .optional(),
});

/** The revision that was built, where git knows it; `npm run build` puts it here. */
declare const BUILT_RELEASE: string | undefined;

export type Env = ReturnType<typeof parseEnv>;

/** The whole configuration from its variables. Throws an error with one line per fault. */
export function parseEnv(source: Source, keptSecret: (dataDir: string) => string = () => 'only-for-this-process') {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const result = variables.safeParse(given);
  const wrong = result.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`) ?? [];
  const faults = [...new Set([...wrong, ...crossFaults(given)])];
  if (!result.success || faults.length > 0) throw new CannotStart(faults.join('\n'));

  const v = result.data;
  const mode = v.NODE_ENV;
  const dataDir = path.resolve(v.DATA_DIR);
  const appUrl = v.APP_URL ?? `http://localhost:${v.PORT}`;
  const sessionSecrets: Secrets = v.SESSION_SECRET ?? [keptSecret(dataDir)];
  const seller = sellerOf(v);
  const stripe =
    v.STRIPE_SECRET_KEY && v.STRIPE_PUBLISHABLE_KEY && v.STRIPE_WEBHOOK_SECRET
      ? {
          secretKey: v.STRIPE_SECRET_KEY,
          publishableKey: v.STRIPE_PUBLISHABLE_KEY,
          webhookSecret: v.STRIPE_WEBHOOK_SECRET,
        }
      : null;
  return {
    mode,
    /** What this build is called in logs, metrics and `/healthz`. */
    release: v.RELEASE ?? (typeof BUILT_RELEASE === 'undefined' ? 'unnamed' : BUILT_RELEASE),
    logLevel: v.LOG_LEVEL ?? (mode === 'test' ? 'silent' : 'info'),
    port: v.PORT,
    /** Where to listen: in production on every address, otherwise on this machine alone. */
    host: v.HOST ?? (mode === 'production' ? undefined : '127.0.0.1'),
    /** Further names under which development answers. */
    allowedHosts: v.ALLOWED_HOSTS,
    appUrl,
    databaseUrl: v.DATABASE_URL,
    /** The role that owns and migrates the tables, if the server's own role should not. */
    migrationDatabaseUrl: v.MIGRATION_DATABASE_URL,
    /** How many connections this process's requests and jobs share; the queue has a few more (`reservedConnections`). */
    databaseConnections: v.DATABASE_CONNECTIONS,
    dataDir,
    sessionSecrets,
    /** Encrypt the secrets of authenticator apps. */
    factorSecrets: v.FACTOR_SECRET ?? sessionSecrets,
    /** Administrators need a second factor. */
    adminFactor: v.ADMIN_SECOND_FACTOR ?? mode === 'production',
    /** An app's code also holds 30 seconds before and after its own time. */
    appCodeDrift: v.APP_CODE_DRIFT,
    /** Some acts of an administrator need a second one. */
    fourEyes: v.FOUR_EYES ?? mode === 'production',
    /** Who else signs people in. */
    identityClients: identityClientsOf(v),
    /** The networks that administrators may work from; without a list, any. */
    adminNetworks: v.ADMIN_NETWORKS ?? null,
    /** How long a server that was told to stop goes on answering, so that balancers see that it is not ready. */
    drainSeconds: v.DRAIN_SECONDS ?? (mode === 'production' ? 5 : 0),
    stripe,
    /** The embedded payments sandbox stands in for Stripe. */
    sandbox: stripe === null,
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM ?? `${brand.name} <${seller.supportEmail}>`,
    seller,
    setupToken: v.SETUP_TOKEN,
    partnerEmailDomains: v.PARTNER_EMAIL_DOMAINS,
    /** What the seller says about itself: in production only what the operator named. */
    claims: v.PUBLIC_CLAIMS ?? (mode === 'production' ? [] : claimIds),
    /** Who works for us, and in which countries: in production only those that the operator named. */
    providers:
      v.PROVIDERS ?? (mode === 'production' ? [] : parseProviders(`${providerForm}; mail: Example Mail (Australia)`)!),
    /** The time-stamping authority (RFC 3161) that vouches for evidence packs; without one they have no stamp. */
    timestampUrl: v.TIMESTAMP_URL,
    /** This process also runs jobs. */
    jobs: v.JOBS,
    metricsToken: v.METRICS_TOKEN,
    /** Whether traces and metrics are sent to a collector. */
    telemetry: v.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    /** For Express's "trust proxy". */
    trustProxy: v.TRUST_PROXY,
    demoData: v.DEMO_DATA ? v.DEMO_DATA !== 'off' && mode !== 'production' : mode === 'development',
    /** Production may start on a database with the demo's accounts. */
    keepsDemo: v.DEMO_DATA === 'keep',
    /** Preferred; development uses a free port if this one is taken. */
    sampleToolPort: v.SAMPLE_TOOL_PORT ?? (v.PORT < 65_535 ? v.PORT + 1 : v.PORT - 1),
    warnings: warningsOf(given),
  };
}

/** The configuration of this process: its environment, completed by a `.env` file beside package.json. */
export function loadEnv(): Env {
  if (process.env.NODE_ENV !== 'test' && fs.existsSync('.env')) process.loadEnvFile('.env');
  return parseEnv(process.env, developmentSecret);
}

/**
 * Stripe's secret key for the command that sets up its account. It runs before the other two keys are known, as it makes the
 * webhook's secret itself, so they get placeholders. Null if there is no key.
 */
export function stripeKeyForSetup(): string | null {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  const key = process.env['STRIPE_SECRET_KEY'] ?? '';
  const mode = /^[sr]k_(test|live)_/.exec(key)?.[1];
  if (!mode) return null;
  process.env['STRIPE_PUBLISHABLE_KEY'] ||= `pk_${mode}_unknown`;
  process.env['STRIPE_WEBHOOK_SECRET'] ||= 'whsec_unknown';
  return key;
}

/** Development's session secret: made at the first start and kept, so that a restart signs nobody out. */
export function developmentSecret(dataDir: string): string {
  const file = path.join(dataDir, 'session-secret');
  fs.mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    fs.linkSync(draft, file); // fails where the file exists, and never leaves a half-written one
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return fs.readFileSync(file, 'utf8');
}

/** OpenTelemetry reads its own variables. Unless they say otherwise, it sends traces and metrics by OTLP, but no logs. */
export function sendByOtlp(): void {
  process.env['OTEL_SERVICE_NAME'] ||= brand.name.toLowerCase();
  process.env['OTEL_METRICS_EXPORTER'] ||= 'otlp';
  process.env['OTEL_LOGS_EXPORTER'] ||= 'none';
}

/** The environment that a child process inherits, with additions. */
export function childEnvironment(additions: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}
