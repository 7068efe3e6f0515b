import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { brand } from '#shared/brand.ts';
import { isAppCode, normaliseCode, recoveryCodeCount } from '#shared/rules/people/factors.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { paged } from '#server/platform/data/database.ts';
import { consume, refund } from '#server/platform/http/rate-limit.ts';
import { seal, unseal } from '#server/platform/crypto/seal.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { tell } from './notices.ts';
import { codesLeft, factorsOf, replaceCodes, takeCode, takeStep, appsAfter, replaceSecret } from './queries.ts';

/** A new secret for an authenticator app, in the two forms it can take: as text, and as the URI in the QR code. */
export function newAppSecret(email: string) {
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: new TOTP({ issuer: brand.name, label: email, secret }).toString() };
}

/** The 30-second step that a code belongs to, if that is the current one or, for clocks that differ, either neighbour; otherwise null. */
export function stepOf({ env }: Context, secret: string, code: string): number | null {
  const timestamp = realNow().getTime();
  const window = env.appCodeDrift ? 1 : 0;
  const delta = new TOTP({ secret: Secret.fromBase32(secret) }).validate({ token: code, timestamp, window });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

/** Bound to its owner, so that a secret copied into another row opens nothing. */
export const purposeOf = (userId: string) => `second-factor:${userId}`;
export const sealSecret = ({ env }: Context, userId: string, secret: string) =>
  seal(env.factorSecrets, purposeOf(userId), secret);
export const openSecret = ({ env }: Context, userId: string, sealed: string) =>
  unseal(env.factorSecrets, purposeOf(userId), sealed);

/** Without 0, 1, l and o, which are mistaken for each other. 24 of these 32 are 120 bits, so the hash need not be slow. */
const letters = '23456789abcdefghijkmnpqrstuvwxyz';
const newRecoveryCode = () => Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('');

/** Replaces the old codes with ten new ones, to be shown once. */
export async function issueRecoveryCodes(inside: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceCodes(inside.db, userId, codes.map(hashToken), inside.now());
  return codes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/** Uses up an app's code or a recovery code; false if it is wrong or already used. Wrong app codes count against a daily limit. */
export async function takeAnyCode(context: Context, user: ActorRow, typed: string): Promise<boolean> {
  const code = normaliseCode(typed);
  return isAppCode(code) ? takeAppCode(context, user, code) : takeRecoveryCode(context, user, code);
}

async function takeAppCode(context: Context, { id }: ActorRow, code: string): Promise<boolean> {
  await consume(context, 'appCodes', id);
  for (const factor of await factorsOf(context.db, id)) {
    const secret = factor.secret && openSecret(context, id, factor.secret);
    const step = secret ? stepOf(context, secret, code) : null;
    if (step === null || !(await takeStep(context.db, factor.id, step, realNow()))) continue;
    await refund(context, 'appCodes', id);
    return true;
  }
  return false;
}

const takeRecoveryCode = (context: Context, { id }: ActorRow, code: string): Promise<boolean> =>
  inTransaction(context, async (inside, tx) => {
    if (!(await takeCode(tx, id, hashToken(code)))) return false;
    await tell(inside, id, 'codeUsed', String(await codesLeft(tx, id)));
    return true;
  });

/**
 * While `FACTOR_SECRET` holds several secrets: encrypts with the newest whatever an older one encrypted, so that the older
 * ones can be removed. Logs how many it encrypted anew, and how many no secret opens.
 */
export async function resealFactors(context: Context): Promise<void> {
  const [newest, ...older] = context.env.factorSecrets;
  if (older.length === 0) return;
  let [resealed, lost] = [0, 0];
  const apps = paged(
    (after, limit) => appsAfter(context.db, after, limit),
    ({ id }) => id,
  );
  for await (const { id, userId, secret: sealed } of apps) {
    if (unseal([newest], purposeOf(userId), sealed) !== null) continue;
    const secret = openSecret(context, userId, sealed);
    if (secret === null) lost += 1;
    else if (await replaceSecret(context.db, id, sealed, sealSecret(context, userId, secret))) resealed += 1;
  }
  context.log.info({ resealed, lost }, 'authenticator apps are encrypted with the newest FACTOR_SECRET');
}
