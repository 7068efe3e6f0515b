import { expect, test } from 'vitest';
import { startTestApp } from '#server/testing/test-app.ts';

const own = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: https:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** The whole policy that a page is sent with. */
async function policyWith(variables: Record<string, string>) {
  const app = await startTestApp(variables);
  const policy = (await app.agent().get('/pricing')).get('content-security-policy') ?? '';
  await app.stop();
  return Object.fromEntries(policy.split(';').map((part) => part.split(/ (.*)/).slice(0, 2) as [string, string]));
}

test('a page may use what Stripe’s security guide lists and nothing else, where Stripe’s keys are set', async () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_dummy',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_dummy',
    STRIPE_WEBHOOK_SECRET: 'whsec_dummy',
  };
  expect(await policyWith(keys)).toEqual({
    ...own,
    'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
    'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    'connect-src': "'self' https://api.stripe.com",
  });
});

test('a page may use nothing but our own server with the sandbox', async () => {
  expect(await policyWith({})).toEqual(own);
});

test('every answer over https says to stay there, not to guess types and not to be framed', async () => {
  const app = await startTestApp({ APP_URL: 'https://adviserly.example', METRICS_TOKEN: 'only-for-the-monitoring' });
  for (const path of ['/', '/api/tools', '/api/nothing', '/healthz', '/readyz', '/metrics', '/assets/gone.js']) {
    const answer = await app.agent().get(path);
    expect(answer.get('strict-transport-security'), path).toBe('max-age=63072000; includeSubDomains');
    expect(answer.get('x-content-type-options'), path).toBe('nosniff');
    expect(answer.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
  }
  await app.stop();
});

test('every long answer is compressed: a list, a download, a document', async () => {
  const app = await startTestApp();
  const { agent, user } = await app.signedIn();
  const asked = async (path: string) => {
    const answer = await agent.get(path).set('accept-encoding', 'gzip').expect(200);
    return { encoding: answer.get('content-encoding'), length: answer.text.length, body: answer.body as unknown };
  };
  const list = await asked('/api/tools');
  expect(list).toMatchObject({
    encoding: 'gzip',
    body: expect.arrayContaining([expect.objectContaining({ id: 'fact-find-ai' })]),
  });
  expect(await asked('/api/user')).toMatchObject({ encoding: undefined, body: { id: user.id } });
  for (const path of ['/api/user/export', '/api/docs/openapi.json']) {
    const { encoding, length } = await asked(path);
    expect(encoding, path).toBe('gzip');
    expect(length, path).toBeGreaterThan(1024);
  }
  await app.stop();
});
