import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { type Assertion, type Attestation, factorsApi } from '#shared/api/factors.ts';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { api } from '#client/lib/calls/api.ts';
import { request } from '#client/lib/calls/request.ts';

/** The browser says little about why: usually the person closed its window or let it time out. */
const unused = 'No passkey was used. Please try again, or choose another way.';
const orUnused = <T>(ceremony: Promise<T>): Promise<T> =>
  ceremony.catch(() => {
    throw new ApiError(unused, { status: 403, code: 'passkey_refused', sentence: unused });
  });

type SignInOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type PasskeyOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Asks the person for a passkey: one of theirs if the server knows who is here, otherwise any of ours. */
export const showPasskey = async (): Promise<Assertion> => {
  const optionsJSON = (await request(factorsApi.askPasskey, undefined, { silent: true })) as unknown as SignInOptions;
  return (await orUnused(startAuthentication({ optionsJSON }))) as Assertion;
};

export const signInWithPasskey = async () =>
  request(factorsApi.signInWithPasskey, { body: { passkey: await showPasskey() } });

/** Makes a passkey in the browser, and adds it under this name. */
export const addPasskey = async (name: string) => {
  const optionsJSON = (await api.factors.beginPasskey({}, { silent: true })) as unknown as PasskeyOptions;
  const passkey = (await orUnused(startRegistration({ optionsJSON }))) as Attestation;
  return api.factors.addPasskey({ body: { name, passkey } });
};
