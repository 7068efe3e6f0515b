import { expect, it } from 'vitest';
import { codeOf } from '#server/testing/second-factor.ts';
import { testApp } from '#server/testing/test-app.ts';
import { until } from '#server/testing/until.ts';

const tolerant = testApp();
const strict = testApp({ APP_CODE_DRIFT: 'off' });

it.each([
  ['30 seconds before and after its own time', tolerant, { [-2]: 400, [-1]: 200, 0: 200, 1: 200, 2: 400 }],
  ['in its own time only, where APP_CODE_DRIFT is off', strict, { [-1]: 400, 0: 200, 1: 400 }],
])('a code holds %s', async (_when, app, answers) => {
  for (const [steps, status] of Object.entries(answers)) {
    const { agent } = await app.signedIn();
    const { secret } = (await agent.post('/api/user/factors/app/begin').expect(200)).body as { secret: string };
    await until('a code has begun', 10_000, () => Date.now() % 30_000 < 24_000);
    const answer = await agent
      .post('/api/user/factors/app')
      .send({ name: 'Phone', code: codeOf(secret, Number(steps)) });
    expect(answer.status, steps).toBe(status);
  }
});
