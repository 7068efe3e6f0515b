import { beforeAll, expect, it, vi } from 'vitest';
import type { AdministeredInvoice, OpenedInvoice } from '#shared/api/operators/acts.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, pass } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

/** The payer's invoices, oldest first, each opened. */
async function openedOf(path: string): Promise<OpenedInvoice[]> {
  const { body } = await admin.agent.get(`/api/admin/${path}/invoices`).expect(200);
  const oldestFirst = (body as AdministeredInvoice[]).toReversed();
  return Promise.all(
    oldestFirst.map(
      async ({ id }) => (await admin.agent.get(`/api/admin/invoices/${id}`).expect(200)).body as OpenedInvoice,
    ),
  );
}
const month = () => pass(app, 32 * DAY);

it('an opened invoice says why it is as much: first bill, tool in between, more tools, and a cancellation', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await pass(app, DAY);
  await buy(app, agent, 'fact-find-ai');
  await month();
  await agent.post('/api/cancel-subscription').send({ toolId: 'fact-find-ai', reason: 'not_using' }).expect(200);
  await month();
  const [first, between, second, third] = await openedOf(`users/${user.id}`);
  expect(first!.bill!.difference).toEqual(['This is the first bill.']);
  expect(between!.bill!.difference[0]).toMatch(/^This tool was bought between two bills/);
  expect(second!.bill!.difference).toEqual([
    expect.stringMatching(/^It is \$\d+\.\d\d more than the bill of /),
    expect.stringMatching(/^Fact Find AI, \+\$/),
    ...second!.bill!.difference.slice(2),
  ]);
  expect(third!.bill!.difference[0]).toMatch(/ less than the bill of /);
  expect(third!.bill!.difference[1]).toMatch(/^Fact Find AI ends, −\$/);
  expect(third!.bill!.lines.map(({ toolId, cents }) => [toolId, cents])).toEqual([
    ['risk-profile-ai', third!.bill!.totalCents],
  ]);
  expect(third!.toldBefore!.totalCents).toBe(third!.totalCents);
});

it('an opened invoice of a practice names who joined and for which days', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
  await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
  const joining = await createUser(app.context, { firstName: 'Hugh', lastName: 'Lang' });
  await joinTeam(agent, team.id, joining.email);
  await month();
  const opened = (await openedOf(`teams/${team.id}`)).at(-1)!;
  expect(opened.bill!.difference.join(' ')).toMatch(/Hugh Lang joined/);
  expect(opened.bill!.parts).toMatchObject([{ person: 'Hugh Lang', cause: 'joined' }]);
});

async function joinTeam(owner: Agent, teamId: string, email: string): Promise<void> {
  const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email }).expect(200);
  const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
  const { agent } = await app.signIn(email);
  await agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
}

it('an administrator reads anybody’s PDF; an invoice that is not there is not found', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  const { body } = await admin.agent.get(`/api/admin/users/${user.id}/invoices`).expect(200);
  const [invoice] = body as AdministeredInvoice[];
  await admin.agent.get(`/api/admin/invoices/${invoice!.id}/pdf`).expect(200).expect('content-type', /pdf/);
  await admin.agent.get('/api/admin/invoices/00000000-0000-4000-8000-000000000000').expect(404);
  await agent.get(`/api/admin/invoices/${invoice!.id}`).expect(403);
});
