import type { APIRequestContext, Page } from '@playwright/test';
import { exchange, report } from '#server/dev/sample-tool/adviserly.ts';
import { expect } from '../until.ts';

/** Olivia Chen of the demo data, who subscribes and works for three weeks before her picture is taken. */
const account = { email: 'adviser@demo.adviserly.example', password: 'Demo-Adviser-2026' };
const days = 20;
/** Sessions of a working day, by tool: how often, for how many minutes, with what score. */
const habits = [
  { toolId: 'risk-profile-ai', every: 3, minutes: 24, score: 9.1 },
  { toolId: 'fact-find-ai', every: 2, minutes: 31, score: 8.7 },
  { toolId: 'file-note-ai', every: 1, minutes: 12, score: 9.4 },
] as const;

type DevelopmentTool = { id: string; secret: string };

/** Calls of the product as its own pages make them. */
const callsOf = (request: APIRequestContext, base: string) => async (path: string, data: unknown) => {
  const answer = await request.post(base + path, { data, headers: { origin: base } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};

/** Signs her in, starts her trials, and lives through her weeks on the development clock. */
export async function liveAsAdviser(page: Page, base: string): Promise<void> {
  const call = callsOf(page.request, base);
  await call('/api/login', account);
  for (const { toolId } of habits) await call('/api/create-subscription', { toolId, trial: true });
  const tools = (await (await page.request.get(`${base}/dev/tools.json`)).json()) as DevelopmentTool[];

  /** Opens a tool as the dashboard does, and is the tool's server: exchanges the token and reports the session. */
  const work = async ({ toolId, minutes, score }: (typeof habits)[number], spread: number) => {
    const { token } = await call('/api/auth/token', { toolId });
    const secret = tools.find((tool) => tool.id === toolId)?.secret ?? '';
    const adviserly = { apiUrl: base, toolId, secret };
    const launch = await exchange(adviserly, String(token));
    expect(launch, `${toolId} was not launched`);
    const refused = await report(adviserly, {
      event_id: `${launch.session_id}-done`,
      session_id: launch.session_id,
      duration_seconds: (minutes + spread) * 60,
      actions_performed: 6 + spread,
      performance_score: Math.round((score - spread / 10) * 10) / 10,
    });
    expect(refused === null, `a session of ${toolId} was not counted: ${refused}`);
  };

  for (let day = 0; day < days; day += 1) {
    const weekend = day % 7 > 4;
    if (!weekend)
      for (const habit of habits) if (day % habit.every === 0) await work(habit, (day * 7 + habit.minutes) % 6);
    await call('/dev/clock', { advance: '1d' });
  }
  for (const habit of habits) await work(habit, 1);
}
