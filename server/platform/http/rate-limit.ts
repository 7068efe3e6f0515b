import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Response } from 'express';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { invitationsADay } from '#shared/rules/people/teams.ts';
import { AppError } from './app-error.ts';
import type { Context } from '../context.ts';
import { memoOf } from '../memo.ts';
import type { Asker } from './waiting-line.ts';

/** Name → [points, seconds of real time]. Exact across replicas, since they are counted in Postgres. */
export const limits = {
  // Failures of browsers that never signed in to the account: per account and origin, per account, per origin.
  signInAddress: [10, 15 * 60],
  signInAccount: [100, 3600],
  signInIp: [100, 15 * 60],
  // Tries of a browser that did: a budget that nobody else can use up.
  signInDevice: [20, 15 * 60],
  // Rows of the audit log, so that a flood doesn't fill it: failed and throttled sign-ins per account and origin, other refusals
  // per caller and call, and all of these together.
  auditFailure: [5, 15 * 60],
  auditThrottle: [1, 15 * 60],
  auditRefusal: [3, 15 * 60],
  auditFlood: [3000, 3600],
  // Files (PDFs, CSVs) and whole exports, per person.
  downloads: [60, 60],
  exports: [10, 3600],
  // Inside a session: wrong passwords, and proofs of any kind and outcome, which cost us as much.
  passwordProof: [10, 15 * 60],
  proofs: [10, 60],
  secondStep: [5, 10 * 60],
  appCodes: [30, 86_400],
  // An office may begin its day with passkeys, or with Microsoft.
  passkeyIp: [300, 15 * 60],
  providerIp: [300, 15 * 60],
  // A registration's point is given back once its address is proved, up to the second limit.
  registerIp: [10, 3600],
  registerMostIp: [30, 3600],
  forgotAddress: [3, 3600],
  forgotAccount: [10, 3600],
  forgotIp: [20, 3600],
  forgotDevice: [3, 3600],
  resendVerification: [3, 3600],
  emailChange: [5, 3600],
  tokenIp: [20, 15 * 60],
  purchaseUser: [60, 60],
  discountCodes: [60, 15 * 60],
  cardUser: [30, 3600],
  // Addresses that somebody has asked to confirm that they get copies of invoices.
  bookkeeperAsker: [5, 86_400],
  bookkeeperAddress: [5, 86_400],
  asks: [10, 86_400],
  // Each sample is kept for seven years.
  samples: [100, 86_400],
  // Each may mail everybody in the team.
  choosesToolUsers: [40, 86_400],
  invitesOwner: [invitationsADay, 86_400],
  launchUserTool: [30, 3600],
  toolCredentialsIp: [100, 15 * 60],
  packs: [20, 3600],
  issuedIp: [120, 15 * 60],
  toolChecks: [20, 3600],
  // Events that the server of an unpublished tool reports.
  draftReports: [1000, 86_400],
  // Launches by test advisers that the server of an unpublished tool asks for.
  testLaunches: [600, 3600],
  developerWrites: [100, 3600],
  // Each mails many people.
  makerRecalls: [10, 86_400],
  makerAnnouncements: [10, 86_400],
  adminWrites: [60, 60],
  contactIp: [10, 3600],
  contactAddress: [3, 3600],
} as const satisfies Record<string, readonly [number, number]>;
export type LimitName = keyof typeof limits;

/** Somebody developing a tool opens it all day. */
const inDevelopment: Partial<Record<LimitName, readonly [number, number]>> = { launchUserTool: [3000, 3600] };

/** Limits that callers are told about, under these names (draft-ietf-httpapi-ratelimit-headers). */
const publicNames: Partial<Record<LimitName, string>> = {
  launchUserTool: 'launches',
  toolCredentialsIp: 'wrong-credentials',
};

const limitOf = ({ env }: Pick<Context, 'env'>, name: LimitName) =>
  (env.mode === 'development' && inDevelopment[name]) || limits[name];

/** States a limit in an answer's headers, and how much of it is left if a point was taken. */
export function tellLimit(
  context: Pick<Context, 'env'>,
  response: Response | undefined,
  name: LimitName,
  left?: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
): void {
  if (!response || !publicNames[name] || response.headersSent) return;
  const [points, seconds] = limitOf(context, name);
  response.set('ratelimit-policy', `"${publicNames[name]}";q=${points};w=${seconds}`);
  if (left)
    response.set(
      'ratelimit',
      `"${publicNames[name]}";r=${Math.max(0, left.remainingPoints)};t=${Math.ceil(left.msBeforeNext / 1000)}`,
    );
}

/** One customer may have 256 or 65,536 IPv6 networks of 64 bits: how many bits count together, and how many times the budget they have. */
const widerNetworks = [
  { bits: 56, worth: 4, suffix: 'Wide' },
  { bits: 48, worth: 16, suffix: 'Widest' },
] as const;

const limiters = memoOf((_pool: pg.Pool) => new Map<string, RateLimiterPostgres>());

function limiter(context: Context, name: LimitName, { worth, suffix } = { worth: 1, suffix: '' }): RateLimiterPostgres {
  const pool = context.db.$client as pg.Pool;
  const known = limiters(pool);
  const existing = known.get(name + suffix);
  if (existing) return existing;
  const [points, duration] = limitOf(context, name);
  const made = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name + suffix,
    points: points * worth,
    duration,
  });
  known.set(name + suffix, made);
  return made;
}

/** Keys are hashed, since what people type may be long, hostile or private. */
const keyOf = (context: Context, value: string) =>
  createHmac('sha256', context.env.sessionSecrets[0]).update(value).digest('base64url');

type Consumed = { points?: number; network?: { worth: number; suffix: string } };

/** Takes a point, or several, or refuses with 429 and Retry-After. Consume before verifying; `refund` on success. */
export async function consume(
  context: Context,
  name: LimitName,
  value: string,
  { points = 1, network }: Consumed = {},
): Promise<void> {
  try {
    const left = await limiter(context, name, network).consume(keyOf(context, value), points);
    tellLimit(context, context.caller?.response, name, left);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    tellLimit(context, context.caller?.response, name, error);
    throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
  }
}

/** Takes one point; false if there is none left. */
export async function hasBudget(context: Context, name: LimitName, value: string): Promise<boolean> {
  try {
    await consume(context, name, value);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** Gives one point back, for limits that count only failures. */
export async function refund(context: Context, name: LimitName, value: string): Promise<void> {
  await limiter(context, name).reward(keyOf(context, value));
}

/** The caller's IP address for limits, IPv6 by its /64 in one spelling. Null where they don't apply (loopback in development). */
export function clientAddress(context: Context): string | null {
  const ip = (context.caller?.ip ?? '').replace(/^::ffff:/, '');
  if (context.env.mode === 'development' && (ip === '127.0.0.1' || ip === '::1')) return null;
  return isIPv6(ip) ? expandIPv6(ip).slice(0, 4).join(':') : ip;
}

/** Its eight parts, each without leading zeros. */
function expandIPv6(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? [];
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map((part) => part.replace(/^0+(?=.)/, ''));
}

/** The wider networks of a /64. */
function networksOf(address: string) {
  const [a = '', b = '', c = '', fourth] = address.split(':');
  if (fourth === undefined) return [];
  const widest = `${a}:${b}:${c}`;
  const part = { 56: fourth.padStart(4, '0').slice(0, 2), 48: '' };
  return widerNetworks.map(({ bits, ...network }) => ({ ...network, key: `${widest}:${part[bits]}/${bits}` }));
}

/** The caller's origin, for limits that count it together with something else, such as an account. */
export const originOf = (context: Context) => clientAddress(context) ?? 'this machine';

/** On whose behalf costly work is done: a person signed in or a known device, which goes first, or else an address. */
export function askerOf(context: Context, first: string | null = context.caller?.actorId ?? null): Asker {
  const { hungUp } = context.caller ?? {};
  const origin = originOf(context);
  return {
    key: first ?? origin,
    first: first !== null,
    ...(first === null && { networks: networksOf(origin) }),
    ...(hungUp && { hungUp }),
  };
}

/** As `consume`, by the caller's IP address and its wider networks. */
export async function consumeByAddress(context: Context, name: LimitName): Promise<void> {
  const address = clientAddress(context);
  if (address === null) return;
  await consume(context, name, address);
  for (const network of networksOf(address)) await consume(context, name, network.key, { network });
}

/** As `refund`, by the caller's IP address and its wider networks. */
export async function refundByAddress(context: Context, name: LimitName): Promise<void> {
  const address = clientAddress(context);
  if (address === null) return;
  await refund(context, name, address);
  for (const network of networksOf(address)) await limiter(context, name, network).reward(keyOf(context, network.key));
}
