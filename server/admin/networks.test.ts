import { desc, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { contract } from '#shared/api/index.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { createAdmin } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp({ ADMIN_NETWORKS: '203.0.113.0/24, 2001:db8:a::/48', TRUST_PROXY: 'loopback' });
const from = (ip: string) => ({ 'x-forwarded-for': ip });

it('the administrators’ area is open to the listed networks only, and a refusal is on the trail', async () => {
  const admin = await createAdmin(app.context);
  const { agent } = await app.signIn(admin.email);
  await agent.get('/api/admin/subscriber-stats').set(from('203.0.113.9')).expect(200);
  await agent.get('/api/admin/subscriber-stats').set(from('2001:db8:a::9')).expect(200);
  const refused = await agent.get('/api/admin/subscriber-stats').set(from('203.0.114.9')).expect(403);
  expect(refused.body).toMatchObject({ code: 'admin_network' });
  const rows = await app.context.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'refused.administrators_network'))
    .orderBy(desc(auditLog.createdAt));
  expect(rows).toMatchObject([
    { actorId: admin.id, ip: '203.0.114.9', after: { call: 'GET /api/admin/subscriber-stats' } },
  ]);
  await agent.get('/admin').set(from('203.0.114.9')).expect(403);
  await agent.get('/API/Admin/users').set(from('203.0.114.9')).expect(403);
  await agent.get('/api/user').set(from('203.0.114.9')).expect(200);
});

it('every call of administrators lies where the list reaches', () => {
  const calls = Object.values(contract).flatMap((api) => Object.values(api as Record<string, Endpoint>));
  for (const { access, path } of calls) if (access === 'admin') expect(path).toMatch(/^\/api\/admin\//);
});
