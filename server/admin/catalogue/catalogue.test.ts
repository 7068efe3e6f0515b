import { beforeAll, describe, expect, it } from 'vitest';
import type { ManagedTool } from '#shared/api/operators/catalogue.ts';
import type { Tool } from '#shared/api/tools.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { seedCatalogue } from '#server/catalogue/service.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createUser } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { startReplica } from '#server/testing/replica.ts';
import { seedLarge } from '#server/testing/bench/large.ts';
import { testApp } from '#server/testing/test-app.ts';
import { setDomain } from '#server/commands/set-domain.ts';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

const toolId = 'portfolio-ai';
const reason = 'Advisers asked for it';
const shown = async (id = toolId) => (await admin.agent.get(`/api/admin/tools/${id}`).expect(200)).body as ManagedTool;
const listed = async (id: string, agent = app.agent()) =>
  ((await agent.get('/api/tools').expect(200)).body as Tool[]).find((tool) => tool.id === id);
const change = (body: object, id = toolId) =>
  admin.agent.patch(`/api/admin/tools/${id}`).send({ reason, ...body, _csrf: admin.csrfToken });
const fieldsOf = ({ body }: { body: unknown }) => (body as { fields?: Record<string, string> }).fields;
const trail = (id: string, action: string) =>
  rowsOf(app, 'select * from audit_log where subject_id = $1 and action = $2 order by created_at desc', [id, action]);

describe('a change of settings', () => {
  it('reaches everybody, on another server too, outlives a restart, and has its history', async () => {
    const before = await shown();
    const settings = {
      name: 'Portfolio Review AI',
      description: 'It reviews portfolios.',
      about: 'Two\nparagraphs.',
      audience: 'Everybody with portfolios.',
      features: ['Drift', 'Reports'],
      benefits: [],
      icon: 'scale',
      minutesSaved: 44,
      comingSoon: true,
      domain: 'https://portfolio.example/start',
      eventsUrl: 'https://portfolio.example/events',
    };
    const answer = await change({ version: before.version, ...settings }).expect(200);
    expect(answer.body).toEqual({
      message:
        'Changed: name, short description, long description, who it is for, features, benefits, icon, minutes saved, coming soon, address and events endpoint. Everybody sees it from now on.',
    });
    await seedCatalogue(app.context.db);
    const replica = await startReplica(app.context);
    const elsewhere = await replica.agent(admin.user.email);
    const { name, description, icon, minutesSaved, comingSoon, domain } = settings;
    expect(await listed(toolId, elsewhere)).toMatchObject({
      name,
      description,
      icon,
      minutesSaved,
      comingSoon,
      domain,
    });
    const texts = await elsewhere.get(`/api/tools/${toolId}/texts`).expect(200);
    const { about, audience, features, benefits } = settings;
    expect(texts.body).toMatchObject({ about, audience, features, benefits });
    await replica.stop();

    const after = await shown();
    expect(after).toMatchObject({ version: before.version + 1, settings });
    expect(after.history[0]).toMatchObject({ by: 'Alex Nguyen', reason });
    expect(after.history[0]?.changes).toContainEqual({
      setting: 'name',
      before: 'Portfolio AI',
      after: 'Portfolio Review AI',
    });
    expect(await trail(toolId, 'admin.tool_changed')).toMatchObject([
      { actor_id: admin.user.id, before: { name: 'Portfolio AI' }, after: { features: 'Drift; Reports', reason } },
    ]);
    await change({ version: after.version, comingSoon: false }).expect(200);
  });

  it('renames the product at Stripe, and leaves its price', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, 'fact-find-ai');
    await change({ version: 0, name: 'Fact Finder AI' }, 'fact-find-ai').expect(200);
    await app.context.queue.drain();
    const client = app.context.payments.stripe;
    expect((await client.products.retrieve('tool_fact-find-ai')).name).toBe('Fact Finder AI');
  });

  it('tells the second of two administrators at once what the first changed; changes of other fields go together', async () => {
    const id = 'share-advice-ai';
    const [one, other] = await Promise.all([
      change({ version: 0, name: 'Share One AI' }, id),
      change({ version: 0, name: 'Share Two AI' }, id),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    const [won, lost] = one.status === 200 ? ['Share One AI', other] : ['Share Two AI', one];
    expect((lost.body as { code: string }).code).toBe('tool_changed');
    expect(fieldsOf(lost)).toEqual({
      name: `Alex Nguyen has changed this in the meantime, to “${won}”. Please look at it again.`,
    });
    await change({ version: 0, audience: 'Brokers' }, id).expect(200);
    expect((await shown(id)).settings).toMatchObject({ name: won, audience: 'Brokers' });
    const again = await change({ version: 2, audience: 'Brokers' }, id).expect(409);
    expect((again.body as { code: string }).code).toBe('same_settings');
  });

  it('gives no tool the name of another, nor one name to two at once', async () => {
    const taken = await change({ version: 0, name: 'file note ai' }, 'advice-writer-ai').expect(400);
    expect(fieldsOf(taken)?.['name']).toContain('of this name already');
    const both = await Promise.all(
      ['advice-writer-ai', 'risk-profile-ai'].map((id) => change({ version: 0, name: 'One Name AI' }, id)),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('keeps what a command changed in between', async () => {
    const id = 'pre-fill-ai';
    await setDomain(app.context.db, id, 'https://moved.example', app.context.now());
    const refused = await change({ version: 0, domain: 'https://elsewhere.example' }, id).expect(409);
    expect(fieldsOf(refused)?.['domain']).toContain('An operator has changed this in the meantime');
    expect((await shown(id)).history[0]).toMatchObject({ by: 'An operator', reason: 'By the command tools:domain' });
  });

  it.each([
    ['name', { name: '' }, 'Please give the tool a name'],
    ['name', { name: 'x'.repeat(61) }, 'Please use at most 60 characters'],
    ['description', { description: ' ' }, 'Please say what the tool does'],
    ['features.0', { features: [''] }, 'Please leave no line empty'],
    ['features', { features: Array.from({ length: 9 }, (_, index) => `Point ${index}`) }, 'Please use at most 8 lines'],
    ['icon', { icon: 'skull' }, 'Please choose an icon'],
    ['minutesSaved', { minutesSaved: 601 }, 'Please enter at most 600 minutes'],
    ['domain', { domain: 'http://fees.example' }, /https:\/\//],
    ['domain', { domain: 'https://fees.example/#top' }, /fragment/],
    ['eventsUrl', { eventsUrl: 'nowhere' }, /must be an address/],
    ['reason', { reason: '' }, 'Please give a reason'],
  ])('names %s where it is wrong: %j', async (field, values, sentence) => {
    const answer = await change({ version: 0, ...values }).expect(400);
    expect(fieldsOf(answer)?.[field]).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
  });

  it('makes the free tool never coming soon, and finds no draft of a maker', async () => {
    const free = await change({ version: 0, comingSoon: true }, 'lost-money-ai').expect(400);
    expect(fieldsOf(free)).toHaveProperty('comingSoon');
    const maker = await createUser(app.context);
    await rowsOf(
      app,
      `insert into tools (id, name, base_price, domain, is_active, owner_id) values ('draft', 'Draft', 0, 'https://d.example', false, $1)`,
      [maker.id],
    );
    await change({ version: 0, name: 'Mine' }, 'draft').expect(404);
    await admin.agent.get('/api/admin/tools/draft').expect(404);
    await app.agent().get('/api/tools/draft/texts').expect(404);
  });

  it('tells the maker of the tool', async () => {
    const maker = await createUser(app.context);
    await rowsOf(
      app,
      `insert into tools (id, name, base_price, domain, owner_id) values ('made', 'Made AI', 10, 'https://m.example', $1)`,
      [maker.id],
    );
    await change({ version: 0, description: 'It makes.' }, 'made').expect(200);
    const [mail] = await rowsOf(app, 'select text_body as text from mails where to_address = $1', [maker.email]);
    expect(mail?.['text']).toContain(`We changed its short description. The reason: ${reason}`);
  });
});

describe('the secrets of a tool', () => {
  const id = 'file-note-ai';
  const make = (name: string, to = id) => admin.post(`/api/admin/tools/${to}/secrets`, { kind: 'call', name });
  const introspect = (secret: string) =>
    app.agent().post('/api/tools/introspect').auth(id, secret).type('form').send({ token: 'unknown' });

  it('are made, rotated and revoked; a third waits until one goes', async () => {
    const first = ((await make('First').expect(201)).body as { secret: string }).secret;
    await introspect(first).expect(200);
    await make('Second').expect(201);
    expect(((await make('Third').expect(409)).body as { code: string }).code).toBe('secrets_full');
    const { secrets } = await shown(id);
    expect(JSON.stringify(secrets)).not.toContain(first);
    await admin
      .remove(`/api/admin/tools/${id}/secrets/${secrets.find(({ name }) => name === 'First')!.id}`)
      .expect(200);
    await introspect(first).expect(401);
    await make('Third').expect(201);
    expect(await trail(id, 'tool.own_secret_revoked')).toMatchObject([{ actor_id: admin.user.id }]);
  });

  it('are two where eight are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => make(`Number ${i}`, 'portfolio-ai')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, ...Array(6).fill(409)]);
  });

  it('are never made by us for a maker’s tool, but can be revoked', async () => {
    expect(((await make('Ours', 'made').expect(409)).body as { code: string }).code).toBe('not_our_tool');
    await rowsOf(app, "insert into tool_secrets (tool_id, secret_hash, name) values ('made', 'hash', 'Theirs')");
    const { secrets } = await shown('made');
    await admin.remove(`/api/admin/tools/made/secrets/${secrets[0]!.id}`).expect(200);
    expect((await shown('made')).secrets).toEqual([]);
  });
});

describe('a ninth tool', () => {
  const values = {
    name: 'Fee Check AI',
    description: 'It checks fees.',
    about: '',
    audience: '',
    features: ['Every fee'],
    benefits: [],
    icon: 'calculator',
    minutesSaved: 12,
    domain: 'https://fees.example/start',
    eventsUrl: '',
    priceCents: 2750,
    reason,
  };

  it('is coming soon, then opens, and costs what was said; Stripe follows by itself', async () => {
    const { body } = await admin.post('/api/admin/tools', values).expect(201);
    expect(body).toEqual({ id: 'fee-check-ai' });
    const added = await listed('fee-check-ai');
    expect(added).toMatchObject({ name: values.name, basePrice: '27.50', comingSoon: true, icon: 'calculator' });
    const { agent } = await app.signedIn();
    const early = await agent.post('/api/create-subscription').send({ toolId: 'fee-check-ai' }).expect(409);
    expect((early.body as { code: string }).code).toBe('coming_soon');
    await app.context.queue.drain();
    const client = app.context.payments.stripe;
    expect(await client.products.retrieve('tool_fee-check-ai')).toMatchObject({ name: values.name });
    await change({ version: 1, comingSoon: false }, 'fee-check-ai').expect(200);
    await buy(app, agent, 'fee-check-ai');
    const [paid] = await rowsOf(app, "select monthly_cents from tool_subscriptions where tool_id = 'fee-check-ai'");
    expect(paid?.['monthly_cents']).toBe(centsOf('27.50'));
    expect((await shown('fee-check-ai')).history.map(({ changes }) => changes.length)).toEqual([1, 11]);
  });

  it('is added once where two administrators add one name at once, and not at all without a price', async () => {
    const named = { ...values, name: 'Twice AI' };
    const answers = await Promise.all([admin.post('/api/admin/tools', named), admin.post('/api/admin/tools', named)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const free = await admin.post('/api/admin/tools', { ...values, name: 'Free AI', priceCents: 0 }).expect(400);
    expect(fieldsOf(free)).toHaveProperty('priceCents');
  });
});

it('whom new discounts and a new price reach is counted in pages, each payer once', async () => {
  const { agent } = await app.signedIn({ isAdmin: true });
  await seedLarge(app.database.url, { users: 3200, usage: 10 }, () => undefined);
  type Page = { dearer: number; cheaper: number; same: number; next: string | null };
  const paged = async (path: string) => {
    const counts: number[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = (
        await agent
          .get(path)
          .query(next ? { after: next } : {})
          .expect(200)
      ).body as Page;
      counts.push(page.dearer + page.cheaper + page.same);
      next = page.next;
    }
    return counts;
  };
  const payers = async (where: string) => {
    const [row] = await rowsOf(
      app,
      `select count(distinct coalesce(team_id, user_id)) from tool_subscriptions where is_active and auto_renew and ${where}`,
    );
    return Number(row!.count);
  };
  const [ofTool, all] = [await payers(`tool_id = 'fact-find-ai'`), await payers(`tool_id <> 'lost-money-ai'`)];
  expect(await paged('/api/admin/tools/fact-find-ai/price-preview?priceCents=2600')).toEqual([100, ofTool - 100]);
  expect(await paged('/api/admin/tiers/preview?tiers=2:10')).toEqual([100, 100, 100, 100, 100, 100, all - 600]);
  await agent.get('/api/admin/tiers/preview?tiers=2:10&after=x').expect(400);
});
