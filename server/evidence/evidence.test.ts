import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import type { Inventory } from '#shared/api/recorded.ts';
import { users } from '#shared/schema/accounts.ts';
import { toolDisclosures, toolReviews } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import type { PackManifest } from '#shared/rules/record/evidence.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';

const app = testApp();
const { worked, stated, packOf, bytesOf, listed, check } = stepsOf(app);

let adviser: Awaited<ReturnType<typeof app.signedIn>>;
beforeEach(async () => {
  adviser = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
});

it('a pack holds sessions with every statement, passes the check, and is known as ours', async () => {
  const { agent, user } = adviser;
  await app.context.db.insert(toolDisclosures).values([
    {
      toolId: tool,
      version: 1,
      answers: { ...nothingStated, maker: 'Acme' },
      madeById: user.id,
      madeAt: plus(app.context.now(), -2 * day),
    },
    { toolId: tool, version: 2, answers: nothingStated, madeById: user.id, madeAt: plus(app.context.now(), day) },
  ]);
  const session = await worked(user.id, {
    purpose: 'risk_profile',
    purposeFrom: 'tool',
    clientReference: 'F-1234',
    referenceFrom: 'adviser',
    checked: true,
    reports: 1,
    durationSeconds: 720,
  });
  await stated(session.id, user.id, { checked: false, remark: '=1+1' });
  await stated(session.id, user.id, {
    checked: true,
    checks: ['Figures', 'Fees'],
    remark: 'Read it again\nwith the client',
    clientReference: 'F-1234',
  });
  await worked((await createUser(app.context)).id);

  const id = await packOf(agent);
  const [pack] = await listed(agent);
  expect(pack).toMatchObject({ id, state: 'made', askedBy: 'Mia Wong', sessionsTotal: 1, sessionsRead: 1 });
  const csv = await bytesOf(agent, id, 'csv');
  const rows = csv.toString().split('\r\n');
  expect(rows).toHaveLength(9);
  expect(rows[2]).toContain(`Mia Wong, ${user.email}, no Financial Advisers Register number given`);
  expect(rows[3]).toContain('Maker: Acme |');
  expect(rows[4]).toMatch(
    new RegExp(
      `^5,Session,.*,${session.id},${user.id},${tool},Risk Profile AI,,720,0,Risk profile,tool,F-1234,adviser,yes,1,,`,
    ),
  );
  expect(rows[5]).toContain(`,no,,“=1+1”,`);
  expect(rows[6]).toContain(',F-1234,,yes,,What was checked: Figures; Fees. “Read it again ↵ with the client”,');
  const pdf = await bytesOf(agent, id, 'pdf');
  const text = textOfPdf(pdf);
  for (const words of [
    'Mia Wong',
    'F-1234',
    'Acme',
    'Output not checked',
    'What was checked: Figures; Fees.',
    'Leave out the byte order mark at the start of the file (EF BB BF) and the CR LF that ends each line.',
    pack!.made!.head,
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(words);

  const manifest = await bytesOf(agent, id, 'manifest');
  const files = await check({ 'a.csv': csv, 'a.pdf': pdf, 'a.json': manifest });
  expect(files.map(({ kind, faults }) => [kind, faults])).toEqual([
    ['csv', []],
    ['pdf', []],
    ['manifest', []],
  ]);
  for (const { sum, kind } of files) {
    const { body } = await app.agent().get(`/api/record/issued/${sum}`).expect(200);
    expect(body).toMatchObject({ issued: { pack: id, file: kind === 'pdf' ? 'pdf' : 'csv', head: pack!.made!.head } });
  }
  expect(
    (
      await app
        .agent()
        .get(`/api/record/issued/${'0'.repeat(64)}`)
        .expect(200)
    ).body,
  ).toEqual({ issued: null });

  const changed = Buffer.from(csv.toString().replace('F-1234', 'F-1235'));
  pdf[pdf.length - 10]! ^= 1;
  const [first, second] = await check({ 'a.csv': changed, 'a.pdf': pdf, 'a.json': manifest });
  expect(first!.faults).toEqual(['Line 5 was changed.']);
  expect(second!.faults).toEqual(['The PDF was changed, or belongs to a different pack from the manifest.']);
});

it('a session in another version than the maker’s answers are about says so, in the pack and the inventory', async () => {
  const { agent, user } = adviser;
  const { team } = await createTeam(app.context, { ownerId: user.id });
  const [toolId, madeAt] = ['portfolio-ai', plus(app.context.now(), -2 * day)];
  const answers = { ...nothingStated, version: '2026.10' };
  await app.context.db.insert(toolDisclosures).values({ toolId, version: 1, answers, madeById: user.id, madeAt });
  for (const toolVersion of ['2026.10', '2026.11', null])
    await worked(user.id, { toolId, toolVersion, teamId: team.id });
  const id = await packOf(agent, { teamId: team.id });
  const csv = (await bytesOf(agent, id, 'csv')).toString();
  const pdf = textOfPdf(await bytesOf(agent, id, 'pdf')).replaceAll(/\s+/g, ' ');
  for (const text of [csv, pdf])
    expect(text.match(/supplier due diligence 1 is about version 2026\.\d+, not 2026\.\d+/g)).toEqual([
      'supplier due diligence 1 is about version 2026.10, not 2026.11',
    ]);
  const { tools } = (await agent.get(`/api/teams/${team.id}/record`).expect(200)).body as Inventory;
  expect(tools.find((one) => one.toolId === toolId)).toMatchObject({ announced: false });
});

it.each<[string, object, number]>([
  ['everything', {}, 4],
  ['a tool', { toolId: 'file-note-ai' }, 1],
  ['a client reference', { clientReference: 'F-7' }, 2],
  ['a client reference without its hyphen', { clientReference: 'f 7' }, 2],
  ['a period, both days in it', { fromDay: '2026-03-01', toDay: '2026-03-02' }, 2],
  ['all of them', { toolId: tool, clientReference: 'F-7', fromDay: '2026-03-02', toDay: '' }, 1],
])('a pack is narrowed to %s', async (_what, body, sessions) => {
  const { agent, user } = adviser;
  // Either side of midnight in Sydney.
  await worked(user.id, { createdAt: new Date('2026-02-28T12:59:59Z'), clientReference: 'F-7' });
  await worked(user.id, { createdAt: new Date('2026-02-28T13:00:00Z') });
  await worked(user.id, { createdAt: new Date('2026-03-02T12:59:59Z'), clientReference: 'F-7' });
  await worked(user.id, { createdAt: new Date('2026-03-02T13:00:00Z'), toolId: 'file-note-ai' });
  await packOf(agent, body);
  expect((await listed(agent))[0]).toMatchObject({ state: 'made', sessionsTotal: sessions });
});

it('the pages of a pack write days as everywhere', async () => {
  const { agent, user } = adviser;
  await worked(user.id, { createdAt: new Date('2026-03-01T13:00:00Z') });
  const id = await packOf(agent, { fromDay: '2026-03-01', toDay: '2026-03-02' });
  const text = textOfPdf(await bytesOf(agent, id, 'pdf')).replaceAll(/\s+/g, ' ');
  expect(text).toContain('from 1 Mar 2026 to 2 Mar 2026, Sydney time.');
  expect(text).not.toMatch(/\d{4}-\d\d-\d\d/);
});

it.each<[object, string, string | null]>([
  [{ fromDay: '2026-03-02', toDay: '2026-03-01' }, 'invalid_input', 'toDay'],
  [{ fromDay: '2026-02-30' }, 'invalid_input', 'fromDay'],
  [{ toDay: '0000-01-01' }, 'invalid_input', 'toDay'],
  [{ toolId: 'no-such-tool' }, 'invalid_input', 'toolId'],
  [{ adviserId: randomUUID() }, 'invalid_input', 'adviserId'],
  [{ teamId: randomUUID() }, 'team_not_found', null],
  [{ clientReference: 'nowhere' }, 'pack_empty', null],
])('the call refuses %j', async (body, code, field) => {
  const { body: answer } = await adviser.agent.post('/api/record/packs').send(body);
  expect(answer).toMatchObject({ code });
  if (field) expect((answer as { fields: object }).fields).toHaveProperty(field);
});

it('an adviser makes one pack at a time, and twenty an hour', async () => {
  const { agent, user } = adviser;
  await worked(user.id);
  const answers = await Promise.all([1, 2, 3].map(() => agent.post('/api/record/packs').send({})));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'pack_being_made' });
  for (let more = 0; more < 17; more += 1)
    await agent.post('/api/record/packs').send({ clientReference: 'nowhere' }).expect(409);
  await agent.post('/api/record/packs').send({}).expect(429);
});

describe('a practice', () => {
  async function practice() {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id });
    const { agent, user } = adviser;
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'admin' });
    const forTeam = await worked(user.id, { teamId: team.id });
    const own = await worked(user.id);
    await stated(forTeam.id, user.id, { checked: true, remark: 'for the practice' });
    await stated(own.id, user.id, { checked: true, remark: 'for myself' });
    await app.context.db.insert(toolReviews).values({
      teamId: team.id,
      toolId: tool,
      userId: owner.user.id,
      remark: 'Looked at it',
      madeAt: app.context.now(),
    });
    return { owner, team, agent, user, forTeam, own };
  }

  it('gets the sessions opened through its subscription, with reviews, and who was who then in the files', async () => {
    const { owner, team, forTeam, own, user } = await practice();
    const { db } = app.context;
    await db.update(users).set({ abn: '51824753556', afslNumber: '234567' }).where(eq(users.id, owner.user.id));
    await db.update(users).set({ adviserNumber: '001234567' }).where(eq(users.id, user.id));
    await db.update(teams).set({ name: 'Harbour Advice' }).where(eq(teams.id, team.id));
    const id = await packOf(owner.agent, { teamId: team.id });
    const csv = (await bytesOf(owner.agent, id, 'csv')).toString();
    expect(csv).toContain(forTeam.id);
    expect(csv).not.toContain(own.id);
    expect(csv).toContain('Looked at it');
    const text = textOfPdf(await bytesOf(owner.agent, id, 'pdf'));
    for (const name of ['Mia Wong', 'Harbour Advice, ABN 51 824 753 556, AFSL 234567', '001234567'])
      expect([name, csv.includes(name), text.replaceAll(/\s+/g, ' ').includes(name)]).toEqual([name, true, true]);
    expect(text).toMatch(/Requested[\s\S]*A[EW]S?[DS]T/);
    const { people, practice: named } = JSON.parse(
      (await bytesOf(owner.agent, id, 'manifest')).toString(),
    ) as PackManifest;
    expect(named).toMatchObject({ id: team.id, abn: '51824753556' });
    expect(people).toContainEqual(expect.objectContaining({ id: user.id, adviserNumber: '001234567' }));
    expect((await bytesOf(owner.agent, id, 'people')).toString()).toContain(`${user.id},Mia Wong,${user.email}`);
    const { body } = await owner.agent.get('/api/record/packs/choices').query({ teamId: team.id }).expect(200);
    expect(body).toEqual({
      tools: [{ id: tool, name: 'Risk Profile AI' }],
      advisers: [{ id: user.id, name: 'Mia Wong' }],
    });
    expect(await listed(owner.agent, { teamId: team.id })).toMatchObject([{ id, state: 'made' }]);
    expect(await listed(owner.agent)).toEqual([]);
  });

  it.each<[string, (adviserId: string) => object, string[]]>([
    ['everything', () => ({}), ['Mia', 'Ned', 'Olive']],
    ['an adviser', (adviserId) => ({ adviserId }), ['Mia', 'Ned']],
    ['a tool', () => ({ toolId: tool }), ['Mia', 'Olive']],
    ['a client reference', () => ({ clientReference: 'F-7' }), ['Mia', 'Ned']],
    ['a period', () => ({ toDay: '2026-03-02' }), ['Mia', 'Ned']],
  ])('gets a pack narrowed to %s, which lists the people in its files and nobody else', async (_what, body, people) => {
    const { owner, team, agent } = await practice();
    await app.context.db.update(users).set({ firstName: 'Olive' }).where(eq(users.id, owner.user.id));
    const [ned, zoe] = [
      await createUser(app.context, { firstName: 'Ned' }),
      await createUser(app.context, { firstName: 'Zoe' }),
    ];
    const ofNed = { toolId: 'file-note-ai', clientReference: 'F-7', createdAt: new Date('2026-03-01T00:00:00Z') };
    await worked(ned.id, { teamId: team.id, ...ofNed });
    const id = await packOf(agent, { teamId: team.id, ...body(ned.id) });
    await worked(zoe.id, { teamId: team.id, ...ofNed });
    const lines = (await bytesOf(agent, id, 'people')).toString().trim().split('\r\n').slice(1);
    const cells = lines.map((line) => line.split(','));
    const listedPeople = cells.flatMap(([kind, , , name]) => (kind === 'Person' ? [name!.split(' ')[0]!] : []));
    expect(listedPeople.toSorted()).toEqual(people);
    const pdf = textOfPdf(await bytesOf(agent, id, 'pdf')).replaceAll(/\s+/g, ' ');
    for (const [, number, , name] of cells) expect(pdf).toMatch(new RegExp(`${number}|${name}`));
    expect(pdf).not.toContain('Zoe');
  });

  type Who =
    'owner' | 'owner once it is closed' | 'admin' | 'admin once it is closed' | 'member' | 'who has left' | 'stranger';
  it.each<[Who, boolean]>([
    ['owner', true],
    ['owner once it is closed', true],
    ['admin', true],
    ['admin once it is closed', false],
    ['member', false],
    ['who has left', false],
    ['stranger', false],
  ])('lets whoever may read its record make, see and download packs: %s, %s', async (who, may) => {
    const { owner, team, agent, user } = await practice();
    const id = await packOf(owner.agent, { teamId: team.id });
    const { db } = app.context;
    const ofUser = eq(teamMembers.userId, user.id);
    if (who === 'member') await db.update(teamMembers).set({ role: 'member' }).where(ofUser);
    if (who === 'who has left') await db.delete(teamMembers).where(ofUser);
    if (who.endsWith('closed')) await db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id));
    const stranger = who === 'stranger' ? (await app.signedIn()).agent : null;
    const asking = stranger ?? (who.startsWith('owner') ? owner.agent : agent);
    const ofTeam = { teamId: team.id };
    const refused = who === 'member' ? { status: 403, code: 'forbidden' } : { status: 404, code: 'team_not_found' };
    const gone = { status: 404, code: 'pack_not_found' };
    const answers = async (call: ReturnType<typeof asking.get>) => {
      const { status, body } = await call;
      return may ? { status } : { status, code: (body as { code: string }).code };
    };
    const ok = { status: 200 };
    expect(await answers(asking.get('/api/record/packs').query(ofTeam))).toEqual(may ? ok : refused);
    expect(await answers(asking.get('/api/record/packs/choices').query(ofTeam))).toEqual(may ? ok : refused);
    for (const file of ['csv', 'pdf', 'manifest', 'people'])
      expect(await answers(asking.get(`/api/record/packs/${id}/${file}`))).toEqual(may ? ok : gone);
    expect(await answers(asking.post('/api/record/packs').send(ofTeam))).toEqual(may ? { status: 201 } : refused);
  });

  it('lets those who leave keep packs of their own sessions', async () => {
    const { owner, agent, user, forTeam, own } = await practice();
    await app.context.db.delete(teamMembers).where(eq(teamMembers.userId, user.id));
    const copy = await packOf(agent);
    const csv = (await bytesOf(agent, copy, 'csv')).toString();
    expect([csv.includes(forTeam.id), csv.includes(own.id)]).toEqual([true, true]);
    await owner.agent.get(`/api/record/packs/${copy}/csv`).expect(404);
    await agent.get(`/api/record/packs/${copy}/people`).expect(404);
  });

  it('keeps its packs when an adviser closes their account, whose own packs go', async () => {
    const { owner, team, agent, user } = await practice();
    const id = await packOf(owner.agent, { teamId: team.id, adviserId: user.id });
    const own = await packOf(agent);
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    expect((await check({ 'a.csv': await bytesOf(owner.agent, id, 'csv') }))[0]!.faults).toEqual([]);
    expect((await listed(owner.agent, { teamId: team.id }))[0]).toMatchObject({ adviserName: 'Mia Wong' });
    expect((await bytesOf(owner.agent, id, 'people')).toString()).toContain(`${user.id},Mia Wong,${user.email}`);
    const { rows } = await app.context.db.execute(sql`select 1 from evidence_packs where id = ${own}
      union all select 1 from evidence_heads where pack_id = ${own} union all select 1 from evidence_pieces where pack_id = ${own}`);
    expect(rows).toEqual([]);
  });
});
