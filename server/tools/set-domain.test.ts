import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '#shared/schema/admin.ts';
import { discountTiers } from '#shared/schema/subscriptions.ts';
import { tools } from '#shared/schema/tools.ts';
import { createDatabase, type Database } from '#server/platform/data/database.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { testEnv } from '#server/testing/test-env.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { seedCatalogue } from '#server/catalogue/service.ts';
import { domainFault } from '#shared/rules/tools/tools.ts';
import { setDomain } from './set-domain.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, createLog(testEnv()));
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const now = new Date(Date.UTC(2026, 0, 1));

describe('the command that sets a tool’s domain', () => {
  it.each([
    'https://risk.example.com.au',
    'https://risk.example.com.au/open?from=adviserly',
    'http://localhost:4000/risk',
    'http://127.0.0.1:4000',
    'http://[::1]:4000/',
  ])('takes %s', (url) => expect(domainFault(url)).toBeNull());

  it.each([
    ['risk.example.com', 'must be an address'],
    ['http://risk.example.com', 'must begin with https'],
    ['http://localhost.evil.example', 'must begin with https'],
    ['javascript:alert(1)', 'must begin with https'],
    ['https://user:secret@risk.example.com', 'user name'],
    ['https://risk.example.com/#start', 'fragment'],
    ['https://risk.example.com/?auth_token=x', 'auth_token'],
    [`https://risk.example.com/${'x'.repeat(500)}`, 'at most 500'],
  ])('refuses %s', async (url, why) => {
    expect(domainFault(url)).toContain(why);
    await expect(setDomain(db, 'risk-profile-ai', url, now)).rejects.toThrow(why);
  });

  it('moves one tool, and refuses an unknown one in words', async () => {
    await setDomain(db, 'risk-profile-ai', 'https://risk.example.com.au/open?from=adviserly', now);
    const rows = await db
      .select()
      .from(tools)
      .where(eq(tools.domain, 'https://risk.example.com.au/open?from=adviserly'));
    expect(rows.map((row) => row.id)).toEqual(['risk-profile-ai']);
    const audited = await db.select().from(auditLog).where(eq(auditLog.action, 'tool.domain_set'));
    expect(audited).toMatchObject([
      { actorId: null, subjectId: 'risk-profile-ai', before: { domain: 'https://risk-profile-ai.adviserly.example' } },
    ]);
    await expect(setDomain(db, 'nothing', 'https://x.example', now)).rejects.toThrow('There is no tool "nothing".');
  });
});

describe('the seeded catalogue', () => {
  it('never undoes what the operator changed, and restores what is missing', async () => {
    await db
      .update(tools)
      .set({ basePrice: '99.00', domain: 'https://mine.example' })
      .where(eq(tools.id, 'fact-find-ai'));
    await db.update(discountTiers).set({ isActive: false }).where(eq(discountTiers.toolCount, 6));
    await db.delete(tools).where(eq(tools.id, 'share-advice-ai'));
    await Promise.all([seedCatalogue(db), seedCatalogue(db)]);
    const rows = await db.select().from(tools);
    expect(rows).toHaveLength(catalogue.length);
    expect(rows.find((row) => row.id === 'fact-find-ai')).toMatchObject({
      basePrice: '99.00',
      domain: 'https://mine.example',
    });
    expect(rows.find((row) => row.id === 'share-advice-ai')?.domain).toBe('https://share-advice-ai.adviserly.example');
    const tiers = await db.select().from(discountTiers);
    expect(
      tiers
        .filter((tier) => tier.isActive)
        .map((tier) => tier.toolCount)
        .toSorted(),
    ).toEqual([2, 3, 4]);
  });
});
