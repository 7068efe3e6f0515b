import * as z from 'zod';
import { factorKinds, factorNameLength } from '#shared/rules/people/factors.ts';
import { signedIn } from './accounts.ts';
import { defineApi } from './endpoint.ts';
import { currentPassword, date, requiredLine } from './fields.ts';

const factor = z.object({
  id: z.string(),
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: date,
  lastUsedAt: date.nullable(),
});
export type Factor = z.output<typeof factor>;

const rememberedDevice = z.object({
  id: z.string(),
  device: z.string(),
  lastUsedAt: date,
  expiresAt: date,
});
export type RememberedDevice = z.output<typeof rememberedDevice>;

const ownFactors = z.object({
  factors: z.array(factor),
  recoveryCodesLeft: z.int(),
  devices: z.array(rememberedDevice),
  /** When an administrator's reset takes effect; null where there is none. */
  resetDueAt: date.nullable(),
  /** Why there must be a factor: an administrator's account, or the teams that ask for one. */
  demandedBy: z.array(z.string()),
});
export type OwnFactors = z.output<typeof ownFactors>;

/** WebAuthn's own JSON; made and read by the same library on both sides. */
const ceremony = z.looseObject({ challenge: z.string() });
const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]+$/);
const credential = <R extends z.ZodType>(response: R) =>
  z.object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
    clientExtensionResults: z.object({}),
    response,
  });
const attestation = credential(
  z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
);
const assertion = credential(
  z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.string().max(200).optional(),
  }),
);
export type Attestation = z.output<typeof attestation>;
export type Assertion = z.output<typeof assertion>;

const code = requiredLine(40, 'Please enter a code');
const name = requiredLine(factorNameLength, 'Please give it a name');
/** Shown once. Empty unless this is the first factor. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Second factors: what proves who somebody is besides their password, and the proof that dangerous calls ask for. */
export const factorsApi = defineApi('signedIn', {
  list: {
    route: 'GET /api/user/factors',
    summary: 'One’s verification methods, recovery codes left, and remembered devices',
    response: ownFactors,
  },
  beginApp: {
    route: 'POST /api/user/factors/app/begin',
    summary: 'A secret for an authenticator app, to be confirmed by a code within ten minutes',
    proof: 'always',
    response: z.object({ secret: z.string(), uri: z.string() }),
  },
  addApp: {
    route: 'POST /api/user/factors/app',
    summary: 'Confirm an authenticator app with a code of it',
    proof: 'always',
    body: z.strictObject({ name, code }),
    response: recoveryCodes,
  },
  beginPasskey: {
    route: 'POST /api/user/factors/passkey/begin',
    summary: 'Begin to make a passkey',
    proof: 'always',
    response: ceremony,
  },
  addPasskey: {
    route: 'POST /api/user/factors/passkey',
    summary: 'Add the passkey that was made',
    proof: 'always',
    body: z.strictObject({ name, passkey: attestation }),
    response: recoveryCodes,
  },
  remove: {
    route: 'DELETE /api/user/factors/:id',
    summary: 'Remove a verification method; with the last one go recovery codes and remembered devices',
    proof: 'always',
  },
  renewCodes: {
    route: 'POST /api/user/recovery-codes',
    summary: 'Ten new recovery codes, shown this once; the old ones end',
    proof: 'always',
    response: recoveryCodes,
  },
  forgetDevice: {
    route: 'DELETE /api/user/remembered-devices/:id',
    summary: 'Ask for two-step verification again on a device',
  },
  stopReset: {
    route: 'POST /api/user/factor-reset/stop',
    summary: 'Stop the removal of one’s verification methods, with the mailed link and proof by a factor',
    proof: 'always',
    body: z.strictObject({ token: requiredLine(200, 'The link is incomplete') }),
  },
  askPasskey: {
    route: 'POST /api/passkey/begin',
    access: 'public',
    summary: 'Begin to show a passkey: to sign in, as a second step, or as proof',
    response: ceremony,
  },
  signInWithPasskey: {
    route: 'POST /api/login/passkey',
    access: 'public',
    summary: 'Sign in with a passkey, alone or as the second step',
    body: z.strictObject({ passkey: assertion }),
    response: signedIn,
  },
  signInWithCode: {
    route: 'POST /api/login/code',
    access: 'public',
    summary: 'The second step of a sign-in: a code of an authenticator app, or a recovery code',
    body: z.strictObject({ code, remember: z.boolean().default(false) }),
    response: signedIn,
  },
  prove: {
    route: 'POST /api/user/proof',
    summary: 'Prove who is here, for ten minutes: by a verification method, or by the password where there is none',
    body: z.strictObject({
      password: currentPassword.optional(),
      code: code.optional(),
      passkey: assertion.optional(),
    }),
  },
});
