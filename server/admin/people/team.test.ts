import { beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredInvoice } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/operators/admin.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

const tool = 'risk-profile-ai';

async function payingTeam(name: string) {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, name, members: 2 });
  await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  return { agent, user, team };
}

const timeline = async (id: string, query = '') =>
  (await admin.agent.get(`/api/admin/teams/${id}/timeline${query}`).expect(200)).body as Reply<
    typeof adminApi.teamTimeline
  >;

describe('the page of a team', () => {
  it('shows the owner, the members, what the team pays, its next bill, what it was told and its invoices', async () => {
    const { agent, user, team } = await payingTeam('Marlow Advice');
    // The owner's own subscription is not the team's.
    await buy(app, agent, 'file-note-ai');
    const { body } = await admin.agent.get(`/api/admin/teams/${team.id}`).expect(200);
    const page = body as Reply<typeof adminApi.team>;
    expect(page).toMatchObject({
      team: { id: team.id, name: 'Marlow Advice', isActive: true, maxMembers: 19 },
      owner: { id: user.id, email: user.email },
      card: { last4: '4242' },
    });
    expect(page.members.map(({ role }) => role)).toEqual(['owner', 'member', 'member']);
    expect(page.subscriptions.map(({ toolId }) => toolId).toSorted()).toEqual(['lost-money-ai', tool]);
    const own = (await shown(agent, tool, team.id))!;
    const listed = await admin.agent.get('/api/admin/teams').query({ search: 'Marlow Advice' }).expect(200);
    expect(listed.body).toMatchObject({ teams: [{ tools: 2, monthlyCents: own.monthlyCents, ownerId: user.id }] });
    const forecast = await admin.agent.get(`/api/admin/teams/${team.id}/forecast`).expect(200);
    expect(forecast.body).toMatchObject({
      bill: { totalCents: own.monthlyCents, lines: [{ toolId: tool, quantity: 3, cents: own.monthlyCents }] },
      owed: null,
      card: { last4: '4242' },
    });
    const { told } = (await admin.agent.get(`/api/admin/teams/${team.id}/told`).expect(200)).body as Reply<
      typeof adminApi.teamTold
    >;
    expect(told.map(({ totalCents }) => totalCents)).toContain(own.monthlyCents);
    const invoices = (await admin.agent.get(`/api/admin/teams/${team.id}/invoices`).expect(200))
      .body as AdministeredInvoice[];
    expect(invoices).toMatchObject([{ status: 'paid', totalCents: own.monthlyCents, refundedCents: 0 }]);
  });

  it('has a timeline of the team alone, which shows a refund with its reason', async () => {
    const { user, team } = await payingTeam('Harbour Advice');
    await payingTeam('Another');
    const [invoice] = (await admin.agent.get(`/api/admin/teams/${team.id}/invoices`).expect(200))
      .body as AdministeredInvoice[];
    const leftCents = invoice!.totalCents;
    await admin
      .post(`/api/admin/invoices/${invoice!.id}/refund`, { cents: 1000, leftCents, reason: 'One member too many' })
      .expect(200);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    const { rows } = await timeline(team.id);
    expect([...new Set(rows.map(({ kind }) => kind))].toSorted()).toEqual(['act', 'adjustment_note', 'invoice']);
    expect(rows.map(({ sentence }) => sentence)).toContain(
      `Alex Nguyen asked Stripe to refund Harbour Advice $10.00 of invoice ${invoice!.number}: “One member too many”.`,
    );
    expect(rows.filter(({ kind }) => kind === 'invoice')).toHaveLength(1);
    expect((await timeline(team.id, '?kind=adjustment_note')).rows).toHaveLength(1);
    const mails = await rowsOf(app, "select 1 from mails where to_address = $1 and kind = 'refund'", [user.email]);
    expect(mails).toHaveLength(1);
  });

  it('is found by the beginning of the name; closed teams come after open ones', async () => {
    const { team } = await createTeam(app.context, { name: 'Zephyr Wealth' });
    await rowsOf(app, 'update teams set is_active = false where id = $1', [team.id]);
    const { team: open } = await createTeam(app.context, { name: 'Zephyr_Wealth 2' });
    const find = async (search: string) =>
      (
        (await admin.agent.get('/api/admin/teams').query({ search }).expect(200)).body as Reply<typeof adminApi.teams>
      ).teams.map(({ id }) => id);
    expect(await find('zephyr')).toEqual([open.id, team.id]);
    expect(await find('Zephyr_')).toEqual([open.id]);
    expect(await find('wealth')).toEqual([]);
    const { teams, pagination } = (await admin.agent.get('/api/admin/teams?limit=2').expect(200)).body as Reply<
      typeof adminApi.teams
    >;
    expect(teams).toHaveLength(2);
    expect(teams.every(({ isActive, members }) => isActive && members > 0)).toBe(true);
    const last = await admin.agent.get(`/api/admin/teams?limit=2&page=${pagination.totalPages}`).expect(200);
    expect((last.body as Reply<typeof adminApi.teams>).teams.at(-1)).toMatchObject({ id: team.id, isActive: false });
    await admin.agent.get('/api/admin/teams?page=0').expect(400);
    const { team: oBrien } = await createTeam(app.context, { name: 'O’Brien & Łódź' });
    for (const typed of ["o'brien", 'OBRIEN & LODZ', 'o`brien\u00A0&'])
      expect(await find(typed), typed).toEqual([oBrien.id]);
    await admin.agent.get(`/api/admin/teams/${team.id}`).expect(200);
  });

  it('does not exist for an adviser or by a stranger’s id', async () => {
    const { agent, team } = await payingTeam('Private');
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const part of ['', '/timeline', '/forecast', '/told', '/invoices']) {
      await agent.get(`/api/admin/teams/${team.id}${part}`).expect(403);
      await admin.agent.get(`/api/admin/teams/${nobody}${part}`).expect(404);
    }
  });
});
