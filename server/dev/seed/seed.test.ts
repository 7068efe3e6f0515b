import { count, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import { passwordRules } from '#shared/rules/people/accounts.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { demoAccounts, seedDemo } from './demo.ts';
import { developmentTools } from './development-secrets.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await Promise.all([seedDemo(app.context), seedDemo(app.context)]);
});
afterAll(() => app.stop());

const people = async () => (await app.context.db.select({ n: count() }).from(users))[0]!.n;

describe('demo data', () => {
  it.each(demoAccounts)('$email signs in as $role', async ({ email, password, role }) => {
    expect(passwordRules.every((rule) => rule.test(password))).toBe(true);
    const agent = app.agent();
    await agent.post('/api/login').send({ email, password }).expect(200);
    const { body } = await agent.get('/api/user').expect(200);
    expect(body).toMatchObject({
      email,
      profileCompleted: true,
      emailVerified: !email.startsWith('unverified'),
      isAdmin: role.toLowerCase().includes('administrator'),
      freeAccessGranted: email.startsWith('free'),
    });
    expect((await agent.get('/api/user/subscriptions').expect(200)).body).toEqual([]);
  });

  it('holds a team of five, a partner, and is added once', async () => {
    const roles = await app.context.db.select({ role: teamMembers.role }).from(teamMembers);
    expect(roles.map((row) => row.role).toSorted()).toEqual(['admin', 'member', 'member', 'member', 'owner']);
    const partners = await app.context.db.select().from(users).where(eq(users.membershipType, 'shaw_partners'));
    expect(partners).toHaveLength(1);
    const before = await people();
    await app.context.db.delete(users).where(eq(users.email, 'free@demo.adviserly.example'));
    await seedDemo(app.context);
    expect(await people()).toBe(before - 1);
  });
});

describe('life in the demonstration', () => {
  it('comes from the product’s own services, and ends before now', async () => {
    const agent = app.agent();
    const [{ email, password }] = demoAccounts as [(typeof demoAccounts)[number]];
    await agent.post('/api/login').send({ email, password }).expect(200);
    const { body: figures } = await agent.get('/api/analytics/dashboard').expect(200);
    expect(figures.totalSessions).toBeGreaterThan(10);
    expect(figures.avgPerformance).toBeGreaterThan(5);
    const usage = (await agent.get('/api/user/usage').expect(200)).body as { lastAccessed: string }[];
    expect(usage.every(({ lastAccessed }) => new Date(lastAccessed) <= app.context.now())).toBe(true);
    const notices = (await agent.get('/api/notifications').expect(200)).body as { type: string; isRead: boolean }[];
    expect(new Set(notices.map(({ type }) => type))).toEqual(
      new Set(['system_alert', 'performance_report', 'usage_milestone']),
    );
    expect(new Set(notices.map(({ isRead }) => isRead))).toEqual(new Set([true, false]));
  });
});

describe('development tools', () => {
  it('have a secret that works, and follow the sample tool but leave a domain of the developer’s own', async () => {
    await app.context.db
      .update(tools)
      .set({ domain: 'http://localhost:7/pre-fill-ai' })
      .where(eq(tools.id, 'pre-fill-ai'));
    await app.context.db.update(tools).set({ domain: 'http://localhost:7/mine' }).where(eq(tools.id, 'portfolio-ai'));
    await developmentTools(app.context, 'http://localhost:9');
    const listed = await developmentTools(app.context, 'http://localhost:9');
    expect(listed).toHaveLength(catalogue.length);
    const domainOf = (id: string) => listed.find((tool) => tool.id === id)!.domain;
    expect(domainOf('pre-fill-ai')).toBe('http://localhost:9/pre-fill-ai');
    expect(domainOf('portfolio-ai')).toBe('http://localhost:7/mine');
    expect(await developmentTools(app.context)).toEqual(listed);
    const live = await app.context.db.select().from(toolSecrets).where(isNull(toolSecrets.revokedAt));
    expect(live.filter(({ kind }) => kind === 'call')).toHaveLength(catalogue.length);
    expect(live.filter(({ kind }) => kind === 'signing')).toHaveLength(catalogue.length);
    for (const { id, secret } of listed) {
      const call = app.agent().post('/api/tools/introspect').auth(id, secret).type('form').send({ token: 'x' });
      expect((await call.expect(200)).body).toEqual({ active: false });
    }
  });
});
