import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleSeller } from '#shared/brand.ts';
import { claimIds } from '#shared/rules/claims.ts';
import { developmentSecret, parseEnv } from './env.ts';

const secret = 'kX9v-2mQz7_LrT4wYb8NcJ1sHd6FgPe3';
const newer = 'pF3w_8zKd1-QmV6tXs9LcB2hNj7RgYe4';
const stripe = {
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};
const seller = {
  SELLER_NAME: 'Harbour Tools Pty Ltd',
  SELLER_ABN: '51 824 753 556',
  SELLER_ADDRESS: '1 Sturt Street, Ballarat VIC 3350',
  SELLER_PHONE: '(03) 5550 1234',
  SUPPORT_EMAIL: 'help@harbour.com.au',
};
const production = {
  DATABASE_URL: 'postgresql://u:p@localhost/x',
  ...seller,
  NODE_ENV: 'production',
  SESSION_SECRET: secret,
  APP_URL: 'https://adviserly.example',
  TRUST_PROXY: '1',
  ...stripe,
};

test('nothing needs to be set in development', () => {
  expect(parseEnv({}, () => 'kept')).toEqual({
    mode: 'development',
    release: 'unnamed',
    logLevel: 'info',
    port: 3000,
    host: '127.0.0.1',
    identityClients: {},
    allowedHosts: [],
    appUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    databaseConnections: 10,
    dataDir: path.resolve('.data'),
    sessionSecrets: ['kept'],
    factorSecrets: ['kept'],
    adminFactor: false,
    adminNetworks: null,
    appCodeDrift: true,
    fourEyes: false,
    stripe: null,
    sandbox: true,
    smtpUrl: undefined,
    mailFrom: expect.stringContaining('@'),
    seller: sampleSeller,
    setupToken: undefined,
    partnerEmailDomains: [],
    claims: claimIds,
    providers: [expect.objectContaining({ duty: 'hosting' }), expect.anything(), expect.anything()],
    drainSeconds: 0,
    jobs: true,
    metricsToken: undefined,
    telemetry: false,
    trustProxy: false,
    demoData: true,
    keepsDemo: false,
    sampleToolPort: 3001,
    warnings: [],
  });
});

test('an empty value is no value', () => {
  const names = ['PORT', 'APP_URL', 'DATABASE_URL', 'SESSION_SECRET', 'SMTP_URL', 'JOBS', ...Object.keys(stripe)];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  expect(parseEnv(empty, () => 'kept')).toEqual(parseEnv({}, () => 'kept'));
});

test.each([
  [{ PORT: '8080' }, { port: 8080, appUrl: 'http://localhost:8080', sampleToolPort: 8081 }],
  [{ PORT: '65535' }, { sampleToolPort: 65_534 }],
  [{ APP_URL: 'https://Adviserly.example/' }, { appUrl: 'https://adviserly.example' }],
  [
    { PARTNER_EMAIL_DOMAINS: 'Shaw.com.au, @partner.example' },
    { partnerEmailDomains: ['shaw.com.au', 'partner.example'] },
  ],
  [
    { JOBS: 'off', DEMO_DATA: 'off' },
    { jobs: false, demoData: false },
  ],
  [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
  [{ TRUST_PROXY: '0' }, { trustProxy: false }],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8' }, { trustProxy: ['loopback', '10.0.0.0/8'] }],
  [{ SMTP_URL: 'smtp://localhost:25' }, { smtpUrl: 'smtp://localhost:25' }],
  [{ NODE_ENV: 'test' }, { mode: 'test', logLevel: 'silent', demoData: false }],
  [
    { ...stripe },
    { sandbox: false, stripe: { secretKey: 'sk_live_abc', publishableKey: 'pk_live_abc', webhookSecret: 'whsec_abc' } },
  ],
  [
    production,
    {
      mode: 'production',
      sandbox: false,
      demoData: false,
      host: undefined,
      claims: [],
      sessionSecrets: [secret],
      factorSecrets: [secret],
      adminFactor: true,
    },
  ],
  [
    { ...production, SESSION_SECRET: `${newer}, ${secret}` },
    { sessionSecrets: [newer, secret], factorSecrets: [newer, secret] },
  ],
  [
    { ...production, FACTOR_SECRET: newer },
    { sessionSecrets: [secret], factorSecrets: [newer] },
  ],
  [
    { HOST: '0.0.0.0', ALLOWED_HOSTS: 'Box.local, tunnel.example' },
    { host: '0.0.0.0', allowedHosts: ['box.local', 'tunnel.example'] },
  ],
  [{ ...production, PUBLIC_CLAIMS: 'cloud, uptime' }, { claims: ['cloud', 'uptime'] }],
  [
    { ...production, PROVIDERS: 'payments: Stripe (Australia, United States)' },
    { providers: [{ duty: 'payments', name: 'Stripe', countries: 'Australia, United States' }] },
  ],
  [production, { providers: [] }],
  [
    { ...production, DEMO_DATA: 'keep' },
    { demoData: false, keepsDemo: true },
  ],
  [{ ...production, ADMIN_SECOND_FACTOR: 'off' }, { adminFactor: false }],
  [production, { appCodeDrift: true, fourEyes: true }],
  [{ ...production, APP_CODE_DRIFT: 'off' }, { appCodeDrift: false }],
  [{ ...production, FOUR_EYES: 'off' }, { fourEyes: false }],
  [{}, { fourEyes: false }],
  [
    { ...production, SALES_EMAIL: 'sales@harbour.com.au' },
    {
      seller: {
        name: 'Harbour Tools Pty Ltd',
        abn: '51824753556',
        address: '1 Sturt Street, Ballarat VIC 3350',
        phone: '+61355501234',
        supportEmail: 'help@harbour.com.au',
        salesEmail: 'sales@harbour.com.au',
        enterpriseEmail: 'help@harbour.com.au',
        privacyEmail: 'help@harbour.com.au',
      },
      mailFrom: 'Adviserly <help@harbour.com.au>',
    },
  ],
  [
    { NODE_ENV: 'production', DATABASE: 'embedded', SESSION_SECRET: secret, PAYMENTS: 'sandbox' },
    { sandbox: true, appUrl: 'http://localhost:3000' },
  ],
])('%o', (source, expected) => expect(parseEnv(source)).toMatchObject(expected));

describe('refused', () => {
  test.each([
    [{ RELEASE: 'a b' }, 'RELEASE must be a name'],
    [{ PORT: '0' }, 'PORT must be a port'],
    [{ PORT: '70000' }, 'PORT must be a port'],
    [{ PORT: '30e2' }, 'PORT must be a port'],
    [{ APP_URL: 'adviserly' }, 'APP_URL must be an address'],
    [{ APP_URL: 'ftp://adviserly.example' }, 'APP_URL must be an address'],
    [{ APP_URL: 'https://adviserly.example/app' }, 'APP_URL must be an origin'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must look like'],
    [{ DATABASE_CONNECTIONS: '1' }, 'DATABASE_CONNECTIONS must be a number of connections from 2 to 200'],
    [{ SMTP_URL: 'localhost' }, 'SMTP_URL must look like'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must look like'],
    [{ JOBS: 'true' }, 'JOBS must be "on" or "off"'],
    [{ DEMO_DATA: '1' }, 'DEMO_DATA must be "on", "off" or "keep"'],
    [{ PAYMENTS: 'real' }, 'PAYMENTS may only be "sandbox"'],
    [{ PAYMENTS: 'sandbox', ...stripe }, 'PAYMENTS must be unset'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16'],
    [{ SETUP_TOKEN: 'short' }, 'SETUP_TOKEN must have at least 16'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be'],
    [{ ADMIN_NETWORKS: 'office' }, 'ADMIN_NETWORKS must be a list of networks'],
    [{ PARTNER_EMAIL_DOMAINS: 'not a domain!' }, 'PARTNER_EMAIL_DOMAINS must be'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ NODE_ENV: 'staging' }, 'NODE_ENV must be'],
    [{ SAMPLE_TOOL_PORT: 'x' }, 'SAMPLE_TOOL_PORT must be a port'],
    [{ STRIPE_SECRET_KEY: 'sk_test_a' }, 'STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET must be set too'],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_a' }, 'the same mode'],
    [{ ...stripe, STRIPE_SECRET_KEY: 'pk_live_a' }, 'STRIPE_SECRET_KEY must look like'],
    [{ ...production, SESSION_SECRET: '' }, 'SESSION_SECRET must be set'],
    [{ ...production, SESSION_SECRET: secret.slice(1) }, 'SESSION_SECRET is too weak'],
    [{ ...production, SESSION_SECRET: `${newer},short` }, 'SESSION_SECRET is too weak'],
    [{ ...production, FACTOR_SECRET: `short,${newer}` }, 'FACTOR_SECRET is too weak'],
    [{ GOOGLE_CLIENT_ID: 'us' }, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together'],
    [{ MICROSOFT_ISSUER: 'http://login.example' }, 'MICROSOFT_ISSUER must begin with https://'],
    [{ SESSION_SECRET: ' , ' }, 'SESSION_SECRET must hold a secret'],
    [{ PUBLIC_CLAIMS: 'cloud, soc-3' }, 'PUBLIC_CLAIMS must be a list of these: client-data, '],
    [{ PROVIDERS: 'payments: Stripe' }, 'PROVIDERS must name who works for us and where'],
    [{ PROVIDERS: 'cooking: Stripe (Australia)' }, 'PROVIDERS must name who works for us and where'],
    [{ HOST: 'my machine' }, 'HOST must be an address'],
    [{ ALLOWED_HOSTS: 'http://box.local' }, 'ALLOWED_HOSTS must be a list of host names'],
    [{ ...production, SESSION_SECRET: 'a'.repeat(64) }, 'SESSION_SECRET is too weak'],
    [{ ...production, SESSION_SECRET: 'changeme-now!'.repeat(4) }, 'SESSION_SECRET is too weak'],
    [{ ...production, APP_URL: 'http://adviserly.example' }, 'APP_URL must begin with https://'],
    [{ ...production, TRUST_PROXY: '' }, 'TRUST_PROXY must be set where APP_URL is https'],
    [{ ...production, APP_URL: 'http://localhost.evil.example' }, 'APP_URL must begin with https://'],
    [{ ...production, DEMO_DATA: 'on' }, 'DEMO_DATA must be off'],
    [{ NODE_ENV: 'production', SESSION_SECRET: secret }, 'PAYMENTS=sandbox'],
    [{ ...production, DATABASE_URL: '' }, 'DATABASE_URL must be set in production (DATABASE=embedded'],
    [{ ...production, DATABASE: 'embedded' }, 'DATABASE must be unset'],
    [{ DATABASE: 'elsewhere' }, 'DATABASE may only be "embedded"'],
    [{ SELLER_ABN: '51 824 753 557' }, 'SELLER_ABN must be an ABN'],
    [{ SELLER_ABN: sampleSeller.abn }, 'SELLER_ABN must be an ABN'],
    [{ SELLER_PHONE: '5550 1234' }, 'SELLER_PHONE must be a phone number'],
    [{ SUPPORT_EMAIL: 'help' }, 'SUPPORT_EMAIL must be an email address'],
    [{ SELLER_NAME: 'Harbour\nTools' }, 'SELLER_NAME must be on one line'],
    [{ ...production, SELLER_ABN: '', SELLER_PHONE: '' }, 'SELLER_ABN, SELLER_PHONE must be set with live keys'],
    [{ ...production, SUPPORT_EMAIL: 'support@adviserly.example' }, 'SUPPORT_EMAIL must be a mailbox of yours'],
    [{ ...production, MAIL_FROM: 'Us <hello@adviserly.example>' }, 'MAIL_FROM must be a mailbox of yours'],
  ])('%o: %s', (source, sentence) => expect(() => parseEnv(source)).toThrow(sentence));
});

test('every fault is reported at once, each on its line, without the value', () => {
  let message = '';
  try {
    parseEnv({ NODE_ENV: 'production', PORT: 'x', DATABASE_URL: 'mysql://u:hunter2@h', SESSION_SECRET: 'hunter2' });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'SESSION_SECRET',
    'STRIPE_SECRET_KEY,',
  ]);
  expect(message).not.toContain('hunter2');
});

test('production without mail, database, seller or money starts, with a warning for each', () => {
  const demonstration = { NODE_ENV: 'production', DATABASE: 'embedded', SESSION_SECRET: secret, PAYMENTS: 'sandbox' };
  expect(parseEnv(demonstration).warnings.map((line) => line.split(/[ =]/)[0])).toEqual([
    'SMTP_URL',
    'DATABASE',
    'SELLER_NAME,',
    'PROVIDERS',
    'PAYMENTS',
  ]);
});

const providers = 'hosting: A (Australia); payments: B (Australia); mail: C (Australia)';
const distant = {
  ...production,
  PROVIDERS: providers,
  DATABASE_URL: 'postgresql://u:p@db.example/x',
  SMTP_URL: 'smtps://u:p@mail.example',
};

test.each([
  [{}, ['DATABASE_URL']],
  [{ DATABASE_URL: 'postgresql://u:p@10.0.0.5/x?sslmode=disable' }, ['DATABASE_URL']],
  [{ DATABASE_URL: 'postgresql://u:p@db.example/x?a=b&sslmode=verify-full' }, []],
  [{ DATABASE_URL: 'postgresql://u:p@db.example/x?sslmode=require' }, []],
  [{ DATABASE_URL: 'postgresql://u:p@127.0.0.1/x' }, []],
  [{ DATABASE_URL: 'postgresql://u:p@localhost:5432/x' }, []],
  [{ DATABASE_URL: 'postgresql:///x?host=/var/run/postgresql' }, []],
  [
    { DATABASE_URL: 'postgresql://localhost/x', MIGRATION_DATABASE_URL: 'postgresql://u:p@db.example/x' },
    ['MIGRATION_DATABASE_URL'],
  ],
  [{ SMTP_URL: 'smtp://mail.example' }, ['DATABASE_URL', 'SMTP_URL']],
  [{ SMTP_URL: 'smtp://mail.example:587?requireTLS=true' }, ['DATABASE_URL']],
  [{ SMTP_URL: 'smtp://localhost:25' }, ['DATABASE_URL']],
])('production names what TLS does not protect: %o', (source, named) => {
  const { warnings } = parseEnv({ ...distant, ...source });
  expect(warnings.map((line) => line.split(' ')[0])).toEqual(named);
  for (const line of warnings) expect(line).toMatch(/sslmode=verify-full|requireTLS=true/);
});

test('development’s secret is made once and kept for its owner alone', () => {
  const dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'env-')), 'data');
  const first = developmentSecret(dataDir);
  expect(first).toHaveLength(43);
  expect(developmentSecret(dataDir)).toBe(first);
  expect(fs.statSync(path.join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(dataDir)).toEqual(['session-secret']);
  fs.rmSync(path.dirname(dataDir), { recursive: true });
});

test('.env.example names every variable', () => {
  const example = fs.readFileSync('.env.example', 'utf8');
  const source = ['env.ts', 'env-seller.ts']
    .map((file) => fs.readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  const names = [...source.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]);
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(example, name).toMatch(new RegExp(`^#? ?${name}=`, 'm'));
});
