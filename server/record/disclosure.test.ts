import { describe, expect, it } from 'vitest';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import type { Inventory } from '#shared/api/recorded.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

describe('due diligence', () => {
  it('is stated by the maker in dated versions; what is not stated is null', async () => {
    const admin = await app.signedIn({ isAdmin: true, hasSecondFactor: false });
    const maker = await createUser(app.context);
    await rowsOf(app, `update tools set owner_id = $1 where id = 'fact-find-ai'`, [maker.id]);
    const { agent } = await app.signIn(maker.email);
    const page = '/api/tools/fact-find-ai/disclosure';
    const nothing = await app.agent().get(page).expect(200);
    expect(nothing.body).toMatchObject({ version: null, answers: { maker: null, training: null, certificates: [] } });
    const answers = {
      ...(nothing.body as { answers: object }).answers,
      maker: 'Tan Software Pty Ltd',
      dataLocation: 'Sydney',
      training: 'no',
      model: '  ',
    };
    const write = '/api/developers/tools/fact-find-ai/disclosure';
    expect((await agent.post(write).send(answers).expect(200)).body).toEqual({ version: 1 });
    const certificates = [{ name: 'ISO 27001', evidenceUrl: 'https://tan.example/iso.pdf', expiresOn: '2027-05-01' }];
    await agent
      .post(write)
      .send({ ...answers, certificates: [{ name: 'ISO', evidenceUrl: 'javascript:1', expiresOn: null }] })
      .expect(400);
    await agent
      .post(write)
      .send({ ...answers, certificates })
      .expect(200);
    await admin.agent.post(write).send(answers).expect(404);
    await (
      await app.signedIn()
    ).agent
      .post('/api/developers/tools/risk-profile-ai/disclosure')
      .send(answers)
      .expect(404);
    const { body } = await app.agent().get(page).expect(200);
    expect(body).toMatchObject({
      version: 2,
      answers: { model: null, certificates },
      history: [{ version: 2 }, { version: 1 }],
    });
    expect((await app.agent().get(`${page}?version=1`).expect(200)).body).toMatchObject({
      answers: { certificates: [] },
    });
    await app.agent().get(`${page}?version=3`).expect(404);
    await app.agent().get(`${page}?since=3`).expect(404);
    const earlier = async (query: string) =>
      ((await app.agent().get(`${page}${query}`).expect(200)).body as ToolDisclosure).earlier;
    expect(await earlier('')).toMatchObject({ version: 1, answers: { certificates: [] } });
    expect(await earlier('?version=1')).toBeNull();
    expect(await earlier('?version=1&since=2')).toMatchObject({ version: 2, answers: { certificates } });
    await app.agent().get('/api/tools/no-such-tool/disclosure').expect(404);
  });

  it('is read where an earlier release asked less', async () => {
    const { user } = await app.signedIn();
    const certificate = { name: 'ISO 27001', evidenceUrl: 'https://tan.example/iso.pdf' };
    await rowsOf(
      app,
      `insert into tool_disclosures (tool_id, version, answers, made_by_id, made_at) values ('share-advice-ai', 1, $2, $1, now())`,
      [user.id, JSON.stringify({ maker: 'Their maker', training: 'yes', certificates: [certificate] })],
    );
    const { body } = await app.agent().get('/api/tools/share-advice-ai/disclosure').expect(200);
    expect((body as ToolDisclosure).answers).toEqual({
      ...nothingStated,
      maker: 'Their maker',
      training: 'yes',
      certificates: [{ ...certificate, expiresOn: null }],
    });
  });

  it('refuses what is no answer, by the name of the question', async () => {
    const admin = await administrator(app);
    const refused: [string, unknown][] = [
      ['contact', 'nobody'],
      ['storedData', ['none', 'health']],
      ['storedData', ['shoes']],
      ['subProcessors', [{ name: 'Model Host', country: '', purpose: 'model' }]],
      ['changeDays', 366],
      ['changeDays', 1.5],
      ['incidentHours', 0],
      ['decides', 'perhaps'],
      ['certificates', [{ name: 'ISO', evidenceUrl: 'https://tan.example', expiresOn: 'soon' }]],
    ];
    for (const [question, answer] of refused) {
      const answers = { ...nothingStated, [question]: answer };
      const { body } = await admin.post('/api/admin/tools/pre-fill-ai/disclosure', answers).expect(400);
      const named = Object.keys((body as { fields: object }).fields);
      expect(named.map((name) => name.split('.')[0])).toEqual([question]);
    }
  });

  it('is read where a later release has stored more of it', async () => {
    const { user } = await app.signedIn();
    const certificate = { name: 'ISO 27001', evidenceUrl: 'https://tan.example/iso.pdf', expiresOn: null };
    const later = { ...certificate, issuedBy: 'An auditor' };
    await rowsOf(
      app,
      `insert into tool_disclosures (tool_id, version, answers, made_by_id, made_at) values ('file-note-ai', 1, $2, $1, now())`,
      [
        user.id,
        JSON.stringify({
          ...nothingStated,
          maker: 'Their maker',
          audited: { by: 'An auditor' },
          certificates: [later],
        }),
      ],
    );
    const { body } = await app.agent().get('/api/tools/file-note-ai/disclosure').expect(200);
    expect((body as { answers: object }).answers).toEqual({
      ...nothingStated,
      maker: 'Their maker',
      certificates: [certificate],
    });
  });

  it('is stated by an administrator for our own tools, and only there', async () => {
    const admin = await administrator(app);
    const stated = { ...nothingStated, maker: 'Adviserly' };
    const ours = await admin.post('/api/admin/tools/pre-fill-ai/disclosure', stated).expect(200);
    expect(ours.body).toMatchObject({ version: expect.any(Number) as number });
    const { body } = await app.agent().get('/api/tools/pre-fill-ai/disclosure').expect(200);
    expect(body).toMatchObject({ answers: { maker: 'Adviserly' } });
    const maker = await createUser(app.context);
    await rowsOf(app, `update tools set owner_id = $1 where id = 'file-note-ai'`, [maker.id]);
    const theirs = await admin.post('/api/admin/tools/file-note-ai/disclosure', stated).expect(409);
    expect(theirs.body).toMatchObject({ code: 'not_our_tool' });
    await admin.agent.post('/api/developers/tools/pre-fill-ai/disclosure').send(stated).expect(404);
  });

  it('is counted as different where a practice reviewed the tool before there was any, and not once it reviewed it', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
    const record = `/api/teams/${team.id}/record`;
    const review = () =>
      owner.agent
        .post(`${record}/tools/lost-money-ai/reviews`)
        .send({ remark: 'Fit for us', nextDue: null })
        .expect(200);
    const others = async () =>
      ((await owner.agent.get(record).expect(200)).body as Inventory).tools.find(
        ({ toolId }) => toolId === 'lost-money-ai',
      )!.otherDifferences;
    await review();
    expect(await others()).toBe(0);
    const admin = await administrator(app);
    const answers = { ...nothingStated, version: '1.0', retention: 'A day', limits: 'No scans.' };
    await admin.post('/api/admin/tools/lost-money-ai/disclosure', answers).expect(200);
    expect(await others()).toBe(2);
    await review();
    expect(await others()).toBe(0);
  });
});
