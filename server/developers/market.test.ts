import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OwnToolDetails } from '#shared/api/developers.ts';
import type { Takings } from '#shared/api/figures.ts';
import { day, sydneyDate } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { answering, makePublishable, supplierAnswers } from '#server/testing/publishable.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, live, rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

vi.setConfig({ testTimeout: 180_000 });

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
let server: Awaited<ReturnType<typeof answering>>;
beforeAll(async () => {
  admin = await administrator(app);
  server = await answering();
});
afterAll(() => server.stop());
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;

async function registered(name: string, by?: Tool['agent']) {
  const agent = by ?? (await app.signedIn()).agent;
  const wanted = { name, description: 'Finds fees.', domain: `${server.url}/`, eventsUrl: '', scopes: ['name'] };
  const { body } = await agent.post('/api/developers/tools').send(wanted).expect(201);
  const { id } = (body as { tool: { id: string } }).tool;
  return { agent, id, path: `/api/developers/tools/${id}` };
}
type Tool = { agent: Agent; id: string; path: string };

async function ask({ agent, id, path }: Tool) {
  await agent.post(`${path}/publication`).expect(200);
  const [row] = await rowsOf(app, 'select requested_at from tools where id = $1', [id]);
  const requestedAt = (row!['requested_at'] as Date).toISOString();
  return (values: object = {}) =>
    admin.post(`/api/admin/tool-requests/${id}/approve`, { priceCents: 2333, requestedAt, ...values });
}
const takingsOf = async ({ agent, path }: Tool) => (await agent.get(`${path}/takings`).expect(200)).body as Takings;

describe('publication', () => {
  type Make = (tool: Tool) => Promise<unknown>;
  const ready: Make = (tool) => makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2333 });
  it.each<[string, string, Make]>([
    ['that was never checked', 'tool_unchecked', async () => undefined],
    [
      'whose check found something wrong',
      'tool_unchecked',
      async (tool) => {
        await ready(tool);
        const found = [{ id: 'used', check: 'A used link opens nothing', result: 'wrong', advice: 'It opened.' }];
        await rowsOf(app, 'update tool_checks set findings = $2 where tool_id = $1', [tool.id, JSON.stringify(found)]);
      },
    ],
    [
      'that has another address since',
      'tool_unchecked',
      async (tool) => {
        await ready(tool);
        await tool.agent
          .patch(tool.path)
          .send({ domain: `${server.url}/new` })
          .expect(200);
      },
    ],
    [
      'that is told more of people since',
      'tool_unchecked',
      async (tool) => {
        await ready(tool);
        await tool.agent
          .patch(tool.path)
          .send({ scopes: ['name', 'email'] })
          .expect(200);
      },
    ],
    [
      'of another version since',
      'tool_unchecked',
      async (tool) => {
        await ready(tool);
        const answers = { ...supplierAnswers, version: '2' };
        await tool.agent.post(`${tool.path}/disclosure`).send(answers).expect(200);
      },
    ],
    ...Object.keys(supplierAnswers)
      .filter((question) => !['trainingDetails', 'certificates', 'reviewedOn', 'version'].includes(question))
      .map((question): [string, string, Make] => [
        `whose maker leaves ${question} out`,
        'tool_unstated',
        async (tool) => {
          await ready(tool);
          const answers = { ...supplierAnswers, [question]: null };
          await tool.agent.post(`${tool.path}/disclosure`).send(answers).expect(200);
        },
      ]),
    [
      'that nobody reaches',
      'tool_unanswered',
      (tool) => makePublishable(app, tool, { domain: 'http://localhost:9/', priceCents: 2333 }),
    ],
    [
      'for another price than was proposed',
      'price_not_proposed',
      (tool) => makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2500 }),
    ],
    [
      'whose name looks like another’s',
      'tool_name_taken',
      async (tool) => {
        await tool.agent.patch(tool.path).send({ name: 'F\u0430ct  Find Al' }).expect(200);
        await ready(tool);
      },
    ],
  ])('is refused to a tool %s', async (_what, code, make) => {
    const tool = await registered('Fee Finder');
    await make(tool);
    const approve = await ask(tool);
    expect(codeOf(await approve().expect(409))).toBe(code);
    const { missing } = (await tool.agent.get(tool.path).expect(200)).body as OwnToolDetails;
    if (code !== 'tool_unanswered' && code !== 'price_not_proposed') expect(missing).toContain(code);
    await admin.post(`/api/admin/tool-requests/${tool.id}/refuse`, { reason: 'Not yet.' }).expect(200);
  });

  it('is decided by nobody who made the tool, nor are its next version and its price', async () => {
    const maker = await administrator(app);
    const tool = await registered('Made By An Administrator', maker.agent);
    await makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2333 });
    const approve = await ask(tool);
    const [row] = await rowsOf(app, 'select requested_at from tools where id = $1', [tool.id]);
    const requestedAt = (row!['requested_at'] as Date).toISOString();
    const own = (path: string, values: object) => maker.post(`/api/admin/${path}`, values).expect(409);
    const approval = { priceCents: 2333, sharePercent: 95, requestedAt };
    expect(codeOf(await own(`tool-requests/${tool.id}/approve`, approval))).toBe('own_favour');
    await approve().expect(200);
    expect(codeOf(await own(`tool-requests/${tool.id}/promote`, { requestedAt }))).toBe('own_favour');
    await tool.agent.post(`${tool.path}/price`).send({ priceCents: 9900 }).expect(200);
    const price = { priceCents: 9900, currentCents: 2333, reason: 'It does more.' };
    expect(codeOf(await own(`tools/${tool.id}/price`, price))).toBe('own_favour');
    await admin.post(`/api/admin/tools/${tool.id}/price`, price).expect(200);
  });

  it('is changed and opened again by nobody who made the tool, nor is its price taken back', async () => {
    const [maker, other] = [await administrator(app), await administrator(app)];
    const tool = await registered('Opened Again', maker.agent);
    await makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2333 });
    await (await ask(tool))().expect(200);
    const page = `/api/admin/tools/${tool.id}`;
    const change = { version: 0, domain: 'https://never-checked.example', reason: 'We moved.', _csrf: maker.csrfToken };
    expect(codeOf(await maker.agent.patch(page).send(change).expect(409))).toBe('own_favour');
    await other.post(`${page}/close`, { reason: 'It misleads.' }).expect(200);
    const opened = await maker.post(`${page}/reopen`, { reason: 'It does not.' }).expect(409);
    expect(codeOf(opened)).toBe('own_favour');
    await tool.agent.post(`${tool.path}/price`).send({ priceCents: 2900 }).expect(200);
    const startsOn = sydneyDate(new Date(app.context.now().getTime() + 40 * day));
    const price = { priceCents: 2900, currentCents: 2333, startsOn, reason: 'It does more.' };
    await other.post(`${page}/price`, price).expect(200);
    const back = { number: 1, reason: 'It does not.' };
    expect(codeOf(await maker.post(`${page}/price/withdraw`, back).expect(409))).toBe('own_favour');
    await other.post(`${page}/price/withdraw`, back).expect(200);
    expect((await takingsOf(tool)).agreed).toMatchObject({ priceCents: 2333 });
  });

  it('asks for a price, which strangers neither propose nor see', async () => {
    const tool = await registered('Priced Once');
    const stranger = (await app.signedIn()).agent;
    const propose = (priceCents: number, agent = tool.agent) => agent.post(`${tool.path}/price`).send({ priceCents });
    expect(codeOf(await propose(2500, stranger).expect(404))).toBe('tool_not_found');
    expect((await stranger.get(`${tool.path}/takings`)).status).toBe(404);
    expect((await propose(50).expect(400)).body).toMatchObject({ fields: { priceCents: expect.any(String) } });
    await propose(2500).expect(200);
    await propose(2600).expect(200);
    expect(await takingsOf(tool)).toMatchObject({ proposedCents: 2600, agreed: null, months: [] });
  });
});

describe('a maker who sells', () => {
  // One administrator may write sixty times a minute.
  beforeAll(async () => {
    admin = await administrator(app);
  });

  it('to two practices reads what is due to the cent over three months, of paid bills less a refund', async () => {
    const tool = await registered('Sold Twice');
    await makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2333 });
    await (await ask(tool))({ sharePercent: 70 }).expect(200);
    const practice = async (members: number) => {
      const owner = await app.signedIn();
      const { team } = await createTeam(app.context, { ownerId: owner.user.id, members });
      await buy(app, owner.agent, tool.id, 'pm_card_visa', { teamId: team.id });
      return team.id;
    };
    // Of one adviser and of three, each of whom costs the price.
    const [one, three] = [await practice(0), await practice(2)];
    expect(await takingsOf(tool)).toMatchObject({ agreed: { sharePercent: 70 } });

    await live(app, 32 * day);
    const [invoice] = await rowsOf(app, `select id from invoices where team_id = $1 order by issued_at desc limit 1`, [
      three,
    ]);
    const refund = { cents: 1001, leftCents: 3 * 2333, reason: 'It did not work for a week.' };
    await admin.post(`/api/admin/invoices/${String(invoice!['id'])}/refund`, refund).expect(200);
    await live(app, 30 * day);

    const due = new Map<string, { paidCents: number; refundedCents: number }>();
    const add = (at: unknown, paidCents: number, refundedCents: number) => {
      const month = sydneyDate(at as Date).slice(0, 7);
      const sum = due.get(month) ?? { paidCents: 0, refundedCents: 0 };
      due.set(month, {
        paidCents: sum.paidCents + paidCents,
        refundedCents: sum.refundedCents + refundedCents,
      });
    };
    for (const { paid_at, team_id } of await rowsOf(app, `select paid_at, team_id from invoices where status = 'paid'`))
      add(paid_at, team_id === one ? 2333 : 3 * 2333, 0);
    for (const { issued_at } of await rowsOf(app, 'select issued_at from adjustment_notes')) add(issued_at, 0, 1001);
    const sums = [...due.values()];
    expect(sums.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(3 * 4 * 2333);
    expect(sums.reduce((sum, { refundedCents }) => sum + refundedCents, 0)).toBe(1001);
    const expected = [...due]
      .map(([month, sum]) => ({ month, ...sum, dueCents: Math.round((sum.paidCents - sum.refundedCents) * 0.7) }))
      .toSorted((a, b) => b.month.localeCompare(a.month));
    expect((await takingsOf(tool)).months).toEqual(expected);
  });

  it('changes the price with notice: they propose it, and an administrator sets no other', async () => {
    const tool = await registered('Dearer Later');
    await makePublishable(app, tool, { domain: `${server.url}/`, priceCents: 2333 });
    await (await ask(tool))({ sharePercent: 60 }).expect(200);
    const set = (priceCents: number) =>
      admin.post(`/api/admin/tools/${tool.id}/price`, { priceCents, currentCents: 2333, reason: 'Their wish.' });
    expect(codeOf(await set(3000).expect(409))).toBe('price_not_proposed');
    await tool.agent.post(`${tool.path}/price`).send({ priceCents: 2900 }).expect(200);
    expect(codeOf(await set(3000).expect(409))).toBe('price_not_proposed');
    await set(2900).expect(200);
    expect(await takingsOf(tool)).toMatchObject({
      proposedCents: null,
      agreed: { priceCents: 2900, sharePercent: 60 },
    });
  });
});
