import type { Agent } from './test-app.ts';

/** Hands a team over through HTTP: the owner asks, and the new owner agrees to the bill as shown. */
export async function handOver(owner: Agent, heir: Agent, teamId: string, userId: string) {
  await owner.post(`/api/teams/${teamId}/transfer`).send({ userId }).expect(200);
  const { body } = await heir.get(`/api/teams/${teamId}/hand-over`).expect(200);
  const { bill, owed } = (body as { forecast: { bill: Sum<'totalCents'>; owed: Sum<'dueCents'> } }).forecast;
  const agreed = { totalCents: bill?.totalCents ?? 0, owedCents: owed?.dueCents ?? 0 };
  return heir.post(`/api/teams/${teamId}/hand-over`).send(agreed).expect(200);
}
type Sum<K extends string> = Record<K, number> | null;
