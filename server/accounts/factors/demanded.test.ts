import { expect, it } from 'vitest';
import { createAdmin } from '#server/testing/factories.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp({ ADMIN_SECOND_FACTOR: 'on' });

it('opens the administrators’ calls to an administrator with a second factor only', async () => {
  const admin = await createAdmin(app.context);
  const { agent } = await app.signIn(admin.email);
  const refused = await agent.get('/api/admin/users').expect(403);
  expect(refused.body).toMatchObject({ code: 'factor_required' });
  expect((await agent.get('/api/user/factors').expect(200)).body).toMatchObject({ demandedBy: ['administrators'] });
  await enrolApp(agent);
  await agent.get('/api/admin/users').expect(200);
  const other = await app.signedIn();
  expect((await other.agent.get('/api/admin/users').expect(403)).body).toMatchObject({ code: 'admin_required' });
});
