import { Secret, TOTP } from 'otpauth';
import type { Agent } from './test-app.ts';

/** What an authenticator app shows, `steps` of 30 seconds from now: a code is used once, and its neighbours are taken too. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Enrols an app with the code before the present one, so that two more can follow; answers its secret and recovery codes. */
export async function enrolApp(agent: Agent, name = 'Phone') {
  const begun = await agent.post('/api/user/factors/app/begin').expect(200);
  const { secret } = begun.body as { secret: string };
  const added = await agent
    .post('/api/user/factors/app')
    .send({ name, code: codeOf(secret, -1) })
    .expect(200);
  return { secret, recoveryCodes: (added.body as { recoveryCodes: string[] }).recoveryCodes };
}
