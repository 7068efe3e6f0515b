import { signInFaults } from './env-sign-in.ts';
import { sampledNames, unnamedSeller } from './env-seller.ts';
import { missingProviders, parseProviders } from '#shared/rules/people/providers.ts';

/** Variables as given, without empty ones. */
export type Source = Record<string, string | undefined>;

const stripeNames = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

/** Shorter than 32 characters, fewer than ten different ones, or one piece repeated ("changemechangeme…"). */
export function isWeakSecret(secret: string): boolean {
  const repeated = `${secret}${secret}`.indexOf(secret, 1) < secret.length;
  return secret.length < 32 || new Set(secret).size < 10 || repeated;
}

function isLocal(url: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\/?$/i.test(url);
}

export const secretsIn = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Faults between variables, found in the raw values, so that all faults are reported at once. */
export function crossFaults(source: Source): string[] {
  const faults: string[] = [];
  for (const name of ['SESSION_SECRET', 'FACTOR_SECRET'] as const)
    if (source[name] && secretsIn(source[name]).length === 0) faults.push(`${name} must hold a secret`);
  const missing = stripeNames.filter((name) => !source[name]);
  if (missing.length > 0 && missing.length < stripeNames.length) {
    faults.push(`${missing.join(', ')} must be set too: all three Stripe variables, or none`);
  }
  const keys = [source.STRIPE_SECRET_KEY, source.STRIPE_PUBLISHABLE_KEY].map((key) => key?.split('_')[1]);
  if (keys[0] && keys[1] && keys[0] !== keys[1]) {
    faults.push('STRIPE_PUBLISHABLE_KEY must be of the same mode (test or live) as STRIPE_SECRET_KEY');
  }
  if (missing.length === 0 && source.PAYMENTS === 'sandbox') {
    faults.push('PAYMENTS must be unset where the Stripe variables are set');
  }
  faults.push(...signInFaults(source));
  if (source.DATABASE && source.DATABASE_URL) faults.push('DATABASE must be unset where DATABASE_URL is set');
  return source.NODE_ENV === 'production' ? [...faults, ...productionFaults(source)] : faults;
}

function productionFaults(source: Source): string[] {
  const faults: string[] = [];
  if (!source.SESSION_SECRET) faults.push('SESSION_SECRET must be set in production: 32 or more random characters');
  for (const name of ['SESSION_SECRET', 'FACTOR_SECRET'] as const)
    if (secretsIn(source[name] ?? '').some(isWeakSecret))
      faults.push(
        `${name} is too weak for production: 32 or more random characters are needed, in each where commas separate several`,
      );
  if (stripeNames.every((name) => !source[name]) && source.PAYMENTS !== 'sandbox') {
    faults.push(
      `${stripeNames.join(', ')} must be set in production (PAYMENTS=sandbox runs a demonstration without money)`,
    );
  }
  if (source.APP_URL?.startsWith('http:') && !isLocal(source.APP_URL)) {
    faults.push('APP_URL must begin with https:// in production (http is for localhost only)');
  }
  if (source.APP_URL?.startsWith('https:') && !source.TRUST_PROXY) {
    // Or everybody would share the proxy's address, and with it every limit.
    faults.push('TRUST_PROXY must be set where APP_URL is https: it says which proxy ends TLS');
  }
  if (!source.DATABASE_URL && !source.DATABASE) {
    faults.push('DATABASE_URL must be set in production (DATABASE=embedded keeps the data on this machine only)');
  }
  if (source.MIGRATION_DATABASE_URL && !source.DATABASE_URL) {
    faults.push('DATABASE_URL must be set where MIGRATION_DATABASE_URL is');
  }
  faults.push(...unnamedSeller(source));
  if (source.DEMO_DATA === 'on') {
    faults.push('DEMO_DATA must be off in production, or keep: the demo accounts have published passwords');
  }
  return faults;
}

/** Whether the connection never leaves this machine; no host means a Unix socket. */
function staysHere(url: string): boolean {
  const { hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  return ['', 'localhost', '[::1]'].includes(hostname) || /^127\.[\d.]+$/.test(hostname);
}

/** Warns of what others on the way to the database or the mail server could read. */
function withoutTls(source: Source): string[] {
  const warnings: string[] = [];
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    const url = source[name];
    if (url && !staysHere(url) && !/[?&](sslmode=(require|verify-ca|verify-full)|ssl=(true|1))(&|$)/.test(url))
      warnings.push(
        `${name} does not demand TLS: add sslmode=verify-full to it, or others on the way can read the data.`,
      );
  }
  const mail = source.SMTP_URL;
  if (mail?.startsWith('smtp:') && !staysHere(mail) && !/[?&]requireTLS=true(&|$)/i.test(mail))
    warnings.push(
      'SMTP_URL does not demand TLS: begin it with smtps://, or add requireTLS=true to it, or others on the way can read the links in mails.',
    );
  return warnings;
}

/** What an operator should know, and may have intended. */
export function warningsOf(source: Source): string[] {
  if (source.NODE_ENV !== 'production') return [];
  const warnings: string[] = [];
  if (!source.SMTP_URL) warnings.push('SMTP_URL is not set: no mail leaves this server.');
  if (!source.DATABASE_URL) {
    warnings.push('DATABASE=embedded: the embedded PostgreSQL holds the data, on this machine only.');
  }
  const sample = sampledNames(source);
  if (sample.length > 0)
    warnings.push(
      `${sample.join(', ')} must be set before anything is sold: pages and tax invoices show a sample seller.`,
    );
  const unnamed = missingProviders(parseProviders(source.PROVIDERS ?? '') ?? []);
  if (unnamed.length > 0)
    warnings.push(
      `PROVIDERS does not name who does this and in which countries: ${unnamed.join(', ')}. The privacy policy has to say it.`,
    );
  if (source.FOUR_EYES === 'off') {
    warnings.push('FOUR_EYES=off: one administrator alone can refund any amount, make others and set their passwords.');
  }
  if (source.ADMIN_SECOND_FACTOR === 'off') {
    warnings.push('ADMIN_SECOND_FACTOR=off: a password alone opens the administrators’ area.');
  }
  if (source.DEMO_DATA === 'keep') warnings.push('DEMO_DATA=keep: accounts with published passwords are open.');
  if (source.PAYMENTS === 'sandbox') warnings.push('PAYMENTS=sandbox: no real money moves.');
  return [...warnings, ...withoutTls(source)];
}
