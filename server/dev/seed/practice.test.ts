import { expect, it } from 'vitest';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { download } from '#server/testing/download.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';
import { demoPassword, emailOf, seedDemo } from './demo.ts';
import { liveThroughDemo } from './practice.ts';

const app = testApp();
const broken = testApp();

it('a demo that fails leaves the clock right', async () => {
  await seedDemo(broken.context);
  await expect(liveThroughDemo({ ...broken, port: 1 })).rejects.toThrow('fetch failed');
  expect(broken.clock.offsetMs()).toBe(0);
});

const shown = async (name: string) => {
  const agent = app.agent();
  await agent
    .post('/api/login')
    .send({ email: emailOf(name), password: demoPassword })
    .expect(200);
  const get = async (path: string) => (await agent.get(path).expect(200)).body as unknown;
  const bytes = async (path: string) => (await download(agent, path)).body;
  const rows = (await get('/api/user/subscriptions')) as { toolId: string; status: string }[];
  // The free tool comes with any other.
  const paid = rows.filter(({ toolId }) => toolId !== lostMoneyTool);
  return { get, bytes, agent, rows: paid.map(({ toolId, status }) => `${toolId} ${status}`).toSorted() };
};

/** What a compliance manager asks of a practice's pack, as a stranger finds it in the demo's. */
async function tellsEverything({ agent, bytes }: Awaited<ReturnType<typeof shown>>, teamId: string) {
  const { body } = await agent.get('/api/record/packs').query({ teamId }).expect(200);
  const [pack] = (body as { packs: { id: string }[] }).packs;
  const text = textOfPdf(await bytes(`/api/record/packs/${pack!.id}/pdf`)).replaceAll(/\s+/g, ' ');
  for (const answer of [
    'Harbour Advice, ABN 10 000 000 000, AFSL 000101',
    /Liam Walker, \S+, Financial Advisers Register number 000000102, in the practice since/,
    /by Grace Taylor/,
    /A[EW]S?[DS]T: Output checked\. What was checked: Figures; Recommendations\./,
    'Output not checked',
    /Not checked/,
    /\[late: made \d+ days after the session began\]/,
    'is about version 2026.10, not 2026.11',
    /Signed off by Liam Walker \([\da-f]{8}\)\. One of 12 that Adviserly drew at random from \d+ sessions on \d+ \w+ \d{4}\. “Read with the adviser: in order\.”/,
    /12 sessions drawn at random from \d+: those of everybody but Liam Walker \([\da-f]{8}\), up to and including \d+ \w+ \d{4}, Sydney time\./,
    /Sessions of a sample that are not signed off: (none|\d+, in lines? )/,
    'Copilot in Word',
    /outside Adviserly, recorded by hand on \d+ \w+ \d{4}, /,
    /Allowed, a tool from elsewhere\. Used for: Drafts of letters\. Data that may go in: No client’s name\. Accountable: Liam Walker \([\da-f]{8}\)\./,
    /Not allowed\. Reason: We want to see first where its research comes from\./,
    /F-10231 held by Grace Taylor \([\da-f]{8}\) · still held A complaint of this client is open/,
    'Sessions outside Adviserly, recorded by hand',
    'Ten fact finds compared with the files',
    '/record/verify',
    'Tools not assessed Members may use them, unless the practice stops one. No change of this rule is on file.',
    'First review of the tool due',
    'dealer group Harbour Wealth, as its owner entered it',
  ])
    expect(text).toMatch(answer);
  expect(text).not.toMatch(/\.\.|no Financial Advisers|Nobody is named/);
}

it('the demo lives through three months of a practice by the product itself, once, and ends now', async () => {
  await seedDemo(app.context);
  await liveThroughDemo(app);
  expect(app.clock.offsetMs()).toBe(0);

  const olivia = await shown('adviser');
  expect(olivia.rows).toEqual([
    'fact-find-ai active',
    'file-note-ai active',
    'pre-fill-ai expired',
    'risk-profile-ai active',
    'share-advice-ai trial',
  ]);
  expect(await olivia.get('/api/winback/offers')).toMatchObject([{ toolId: 'pre-fill-ai' }]);
  const { invoices } = (await olivia.get('/api/billing/invoices')) as { invoices: unknown[] };
  expect(invoices.length).toBeGreaterThan(5);
  const grace = await shown('owner');
  expect(grace.rows).toEqual(['fact-find-ai active', 'file-note-ai active']);
  const { ownedTeams } = (await grace.get('/api/teams/my')) as { ownedTeams: { id: string }[] };
  const used = (await grace.get(`/api/teams/${ownedTeams[0]!.id}/usage?days=30`)) as {
    toolId: string;
    sessions: number;
  }[];
  for (const toolId of ['fact-find-ai', 'file-note-ai'])
    expect(used.filter((row) => row.toolId === toolId && row.sessions > 0)).not.toEqual([]);
  const { tools } = (await grace.get(`/api/teams/${ownedTeams[0]!.id}/record`)) as {
    tools: { toolId: string; allowed: boolean; decided: boolean; disclosedAt: string | null; reviews: unknown[] }[];
  };
  expect(tools.filter(({ disclosedAt }) => disclosedAt).length).toBe(5);
  expect(tools.filter(({ allowed }) => !allowed).map(({ toolId }) => toolId)).toEqual(['share-advice-ai']);
  expect(tools.filter(({ decided }) => decided)).toHaveLength(4);
  expect(tools.filter(({ reviews }) => reviews.length > 0)).toHaveLength(1);
  await app.context.queue.drain();
  const made = [{ state: 'made' }];
  expect(await grace.get(`/api/record/packs?teamId=${ownedTeams[0]!.id}`)).toMatchObject({ packs: made });
  expect(await olivia.get('/api/record/packs')).toMatchObject({ packs: made });
  await tellsEverything(grace, ownedTeams[0]!.id);
  expect((await shown('partner')).rows).toEqual(['pre-fill-ai active', 'risk-profile-ai active']);
  expect((await shown('free')).rows).toEqual(['file-note-ai grace_period']);
  const incidents = await (await shown('admin')).get('/api/admin/incidents');
  expect(JSON.stringify(incidents)).toContain('says they did not authorise it');

  await liveThroughDemo(app);
  expect((await shown('adviser')).rows).toEqual(olivia.rows);
});
