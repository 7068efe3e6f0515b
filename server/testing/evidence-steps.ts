import { checkPack } from '#shared/rules/record/evidence-check.ts';
import type { EvidencePack } from '#shared/api/evidence.ts';
import { sessionStatements } from '#shared/schema/record.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { download } from './download.ts';
import type { Agent, TestApp } from './test-app.ts';

type Session = Partial<typeof toolUsage.$inferInsert>;
export const tool = 'risk-profile-ai';

/** Steps that tests of evidence packs share. */
export const stepsOf = (app: TestApp) => {
  async function worked(userId: string, more: Session = {}) {
    const [row] = await app.context.db
      .insert(toolUsage)
      .values({ userId, toolId: tool, createdAt: app.context.now(), ...more })
      .returning();
    return row!;
  }
  const stated = (sessionId: string, userId: string, more: Partial<typeof sessionStatements.$inferInsert>) =>
    app.context.db.insert(sessionStatements).values({ sessionId, userId, madeAt: app.context.now(), ...more });

  async function packOf(agent: Agent, body: object = {}): Promise<string> {
    const { body: answer } = await agent.post('/api/record/packs').send(body).expect(201);
    await app.context.queue.drain();
    return (answer as { id: string }).id;
  }
  const bytesOf = async (agent: Agent, id: string, file: string) =>
    (await download(agent, `/api/record/packs/${id}/${file}`)).body;
  const listed = async (agent: Agent, query: object = {}) =>
    ((await agent.get('/api/record/packs').query(query).expect(200)).body as { packs: EvidencePack[] }).packs;
  const check = async (files: Record<string, Buffer>) =>
    checkPack(Object.entries(files).map(([name, bytes]) => ({ name, bytes: new Uint8Array(bytes) })));
  return { worked, stated, packOf, bytesOf, listed, check };
};
