import { Secret, TOTP } from 'otpauth';
import type { Agent } from './test-app.ts';
import { until } from './until.ts';

/** What an authenticator app shows `steps` of 30 seconds from now: a code works once, and its neighbours are accepted too. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** The code before the present one, so that two more can follow. Waits out a code's last seconds, in which it would grow too old on its way. */
export async function earlierCode(secret: string): Promise<string> {
  await until('a code has begun', 10_000, () => Date.now() % 30_000 < 24_000);
  return codeOf(secret, -1);
}

/** Enrols an app; returns its secret and recovery codes. */
export async function enrolApp(agent: Agent, name = 'Phone') {
  const begun = await agent.post('/api/user/factors/app/begin').expect(200);
  const { secret } = begun.body as { secret: string };
  const added = await agent
    .post('/api/user/factors/app')
    .send({ name, code: await earlierCode(secret) })
    .expect(200);
  return { secret, recoveryCodes: (added.body as { recoveryCodes: string[] }).recoveryCodes };
}
