import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const toolId = 'risk-profile-ai';

it.each([
  ['during what is paid', { cancelImmediately: false }],
  ['in the days after it', { cancelImmediately: true }],
])('a cancelled tool that the practice does not allow comes back only once it is allowed: %s', async (_when, how) => {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id });
  const { agent, user } = await app.signedIn();
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'member' });
  await buy(app, agent, toolId);
  await agent
    .post('/api/cancel-subscription')
    .send({ toolId, ...how })
    .expect(200);
  const rule = (more: object) => owner.agent.put(`/api/teams/${team.id}/record/tools/${toolId}`).send(more).expect(200);
  const own = () =>
    app.context.db
      .select({ status: toolSubscriptions.status, autoRenew: toolSubscriptions.autoRenew })
      .from(toolSubscriptions)
      .where(and(eq(toolSubscriptions.userId, user.id), eq(toolSubscriptions.toolId, toolId)));
  const before = await own();

  await rule({ allowed: false, reason: 'Where its data is kept is not stated.' });
  const { body } = await agent.post('/api/reactivate-subscription').send({ toolId }).expect(403);
  expect(body).toMatchObject({ code: 'tool_not_allowed' });
  expect(await own()).toEqual(before);

  await rule({ allowed: true });
  await agent.post('/api/reactivate-subscription').send({ toolId }).expect(200);
});
