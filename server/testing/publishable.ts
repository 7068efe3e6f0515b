import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Disclosure, nothingStated } from '#shared/rules/record/disclosure.ts';
import { tools } from '#shared/schema/tools.ts';
import { toolChecks } from '#shared/schema/tools.ts';
import { realNow } from '#server/platform/clock.ts';
import { examinedState } from '#server/developers/checks.ts';
import { listenLocally } from './ports.ts';
import type { Agent, TestApp } from './test-app.ts';

/** All that publication demands to be answered. */
export const supplierAnswers: Disclosure = {
  ...nothingStated,
  maker: 'Fee Finder Pty Ltd',
  contact: 'privacy@fees.example',
  does: 'Finds fees.',
  model: 'Fixed rules',
  version: '1.0',
  decides: 'no',
  storedData: ['documents'],
  dataLocation: 'Sydney, for a day',
  retention: 'A day, then deleted',
  subProcessors: [],
  training: 'no',
  humanReview: 'nobody',
  limits: 'It reads no scans.',
  accuracyTests: '50 statements before every version',
  accessibility: 'wcag_aa',
  changeDays: 30,
  incidentHours: 24,
  exit: 'Nothing is kept that could be taken along.',
  insurance: 'Professional indemnity, $2 million',
};

/** A tool's server that answers; to stop it cuts its connections. */
export const answering = () => listenLocally(http.createServer((_req, res) => res.end('Notes')));

/** Gives a maker's tool all that publication demands, as if it had been checked at this address. */
export async function makePublishable(
  app: TestApp,
  { agent, id }: { agent: Agent; id: string },
  { domain, priceCents = 2500 }: { domain: string; priceCents?: number },
): Promise<void> {
  const path = `/api/developers/tools/${id}`;
  await agent.patch(path).send({ domain }).expect(200);
  await agent.post(`${path}/disclosure`).send(supplierAnswers).expect(200);
  await agent.post(`${path}/price`).send({ priceCents }).expect(200);
  const [tool] = await app.context.db.select().from(tools).where(eq(tools.id, id));
  const now = realNow();
  const findings = [{ id: 'answers', check: 'The tool answers a launch', result: 'ok' as const, advice: '' }];
  const times = { requestedAt: now, startedAt: now, aliveAt: now, finishedAt: now };
  const examined = await examinedState(app.context.db, tool!);
  const row = { toolId: id, run: randomUUID(), domain: tool!.domain, examined, findings, ...times };
  await app.context.db.insert(toolChecks).values(row).onConflictDoUpdate({ target: toolChecks.toolId, set: row });
}
