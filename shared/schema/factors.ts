import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { factorKinds } from '../rules/people/factors.ts';
import { identityProviders } from '../rules/people/identities.ts';
import { ofUser } from './accounts.ts';
import { createdAt, generatedId, instant, oneOf } from './columns.ts';

/** What proves who somebody is besides their password: the secret of an authenticator app, or the public key of a passkey. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: generatedId(),
    userId: ofUser(),
    kind: text('kind', { enum: factorKinds }).notNull(),
    name: text('name').notNull(),
    /** For an app: the secret, encrypted with `FACTOR_SECRET`, and the last time step whose code was used. */
    secret: text('secret'),
    lastStep: bigint('last_step', { mode: 'number' }),
    /** For a passkey, in base64url. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    signCount: bigint('sign_count', { mode: 'number' }).notNull().default(0),
    transports: jsonb('transports').$type<string[]>(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('second_factors_user').on(t.userId),
    uniqueIndex('second_factors_credential').on(t.credentialId),
    oneOf('second_factors_kind', t.kind, factorKinds),
    check(
      'second_factors_whole',
      sql`case when ${t.kind} = 'app' then ${t.secret} is not null else ${t.credentialId} is not null and ${t.publicKey} is not null end`,
    ),
  ],
);

/** `code` holds SHA-256 of a code that was shown once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { id: generatedId(), userId: ofUser(), code: text('code').notNull(), createdAt: createdAt() },
  (t) => [uniqueIndex('recovery_codes_once').on(t.userId, t.code)],
);

/** Browsers that may sign in with the password alone for a while. `token` holds SHA-256 of the cookie's. */
export const rememberedDevices = pgTable(
  'remembered_devices',
  {
    id: generatedId(),
    userId: ofUser(),
    token: text('token').notNull().unique(),
    /** As for a session: a change of password ends it. */
    authEpoch: integer('auth_epoch').notNull(),
    device: text('device').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('remembered_devices_user').on(t.userId)],
);

/** Accounts at Microsoft or Google that sign a person in, in the place of the password; one of each. */
export const identities = pgTable(
  'identities',
  {
    id: generatedId(),
    userId: ofUser(),
    provider: text('provider', { enum: identityProviders }).notNull(),
    /** Together they name the person there for good (OpenID Connect Core, 5.7). */
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The organisation whose Microsoft account it is. */
    tenant: text('tenant'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('identities_subject').on(t.issuer, t.subject),
    uniqueIndex('identities_one_of_each').on(t.userId, t.provider),
    oneOf('identities_provider', t.provider, identityProviders),
  ],
);

/** An administrator's reset of somebody's factors, which takes effect after a day. */
export const factorResets = pgTable('factor_resets', {
  userId: ofUser().primaryKey(),
  dueAt: instant('due_at').notNull(),
  /** SHA-256 of the mailed token without which nobody stops it. */
  stopToken: text('stop_token'),
  createdAt: createdAt(),
});
