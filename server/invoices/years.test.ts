import { expect, it } from 'vitest';
import { financialYearOf } from '#shared/rules/dates.ts';
import { buy } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();

const listed = async (agent: Agent, query: string) => {
  const { body } = await agent.get(`/api/billing/invoices${query}`).expect(200);
  const { invoices, pagination } = body as { invoices: unknown[]; pagination: { total: number } };
  return [invoices.length, pagination.total];
};

it('lists the invoices of one financial year', async () => {
  const { agent } = await app.signedIn();
  await buy(app, agent, 'file-note-ai');
  const year = financialYearOf(app.context.now());
  expect(await listed(agent, '')).toEqual([1, 1]);
  expect(await listed(agent, `?year=${year}`)).toEqual([1, 1]);
  for (const other of [year - 1, year + 1]) expect(await listed(agent, `?year=${other}`)).toEqual([0, 0]);
  const refused = await agent.get('/api/billing/invoices?year=last').expect(400);
  expect(refused.body).toMatchObject({ fields: { year: 'Year must be a year such as 2027' } });
});
