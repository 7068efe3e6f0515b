import { expect, it } from 'vitest';
import { day, formatCalendarDay, plus, sydneyDate } from '#shared/rules/dates.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { createTeam } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { worked, packOf, bytesOf, check } = stepsOf(app);

/** A practice with two advisers, three sessions each. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const [mia, tom] = [
    await app.signedIn({ firstName: 'Mia', lastName: 'Wong' }),
    await app.signedIn({ firstName: 'Tom', lastName: 'Katz' }),
  ];
  const sessions: Record<string, string[]> = {};
  for (const [{ user }, reference] of [
    [mia, 'F-1'],
    [tom, 'F-2'],
  ] as const) {
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'member' });
    const own = [3, 2, 1].map((days) =>
      worked(user.id, {
        teamId: team.id,
        createdAt: plus(app.context.now(), -days * day),
        clientReference: `${reference}${days}`,
      }),
    );
    sessions[user.id] = (await Promise.all(own)).map(({ id }) => id);
  }
  const record = `/api/teams/${team.id}/record`;
  const draw = async (body: object) => {
    const { id } = (await owner.agent.post(`${record}/samples`).send(body).expect(200)).body as { id: string };
    return id;
  };
  const signOff = (ids: string[], sampleId: string | null) =>
    owner.agent.post(`${record}/sign-offs`).send({ ids, remark: '', sampleId }).expect(200);
  const read = async (scope: object = {}) => {
    const id = await packOf(owner.agent, { teamId: team.id, ...scope });
    const csv = await bytesOf(owner.agent, id, 'csv');
    const pdf = await bytesOf(owner.agent, id, 'pdf');
    const manifest = await bytesOf(owner.agent, id, 'manifest');
    const faults = (await check({ 'a.csv': csv, 'a.pdf': pdf, 'a.json': manifest })).map((one) => one.faults);
    expect(faults).toEqual([[], [], []]);
    const lines = csv.toString().split('\r\n');
    const lineOf = (session: string) => lines.find((line) => line.includes(`,Session,`) && line.includes(session))!;
    return {
      csv: csv.toString(),
      pdf: textOfPdf(pdf).replaceAll(/\s+/g, ' '),
      samples: lines.filter((line) => line.split(',')[1] === 'Sample'),
      numberOf: (session: string) => lineOf(session).split(',')[0]!,
    };
  };
  return { owner, mia, tom, sessions, draw, signOff, read };
}

it('a pack tells who drew which sample, from what, and which of its sessions are not signed off', async () => {
  const { owner, mia, tom, sessions, draw, signOff, read } = await practice();
  const all = [...sessions[mia.user.id]!, ...sessions[tom.user.id]!];
  const [from, to] = [sydneyDate(plus(app.context.now(), -20 * day)), sydneyDate(app.context.now())];
  const sampleId = await draw({ size: 10, from, to, toolId: tool });
  // Signed off before the draw, or after it without its sample: the second counts.
  await signOff(all.slice(0, 3), sampleId);
  await signOff(all.slice(3, 4), null);
  const { csv, pdf, samples, numberOf } = await read();
  const open = all.slice(4).map(numberOf);
  const today = formatCalendarDay(to);
  const days = `from ${formatCalendarDay(from)} to ${today}, Sydney time`;
  for (const text of [csv, pdf]) {
    expect(text).toContain(`One of 6 that Adviserly drew at random from 6 sessions on ${today}.`);
    expect(text).toMatch(/6 sessions drawn at random from 6: those of everybody but Grace Taylor \([\da-f]{8}\),/);
    expect(text).toContain(`${days}, with Risk Profile AI.`);
    expect(text).toContain(
      `In this pack: 6 of them. Signed off since: 4. Not signed off since: 2, in lines ${open.join(' and ')}.`,
    );
  }
  expect(samples).toHaveLength(1);
  expect(samples[0]).toContain(`,${owner.user.id},${tool},Risk Profile AI,`);
  expect(pdf).toContain(`Sessions of a sample that are not signed off: 2, in lines ${open.join(' and ')}`);
  expect(pdf).toMatch(/Samples .*Drawn for Grace Taylor/);
});

it('a pack of one adviser tells only of samples with a session of theirs, and of nobody else’s sessions', async () => {
  const { mia, tom, sessions, draw, read } = await practice();
  await draw({ size: 10 });
  await draw({ size: 2, userId: tom.user.id, unstated: true });
  const his = sessions[tom.user.id]!;
  const { csv, pdf, samples } = await read({ adviserId: mia.user.id });
  expect(samples).toHaveLength(1);
  for (const text of [csv, pdf]) {
    expect(text).toMatch(/6 sessions drawn at random from 6: .{20,60} In this pack: 3 of them\. Signed off since: 0\./);
    for (const words of ['F-2', 'Tom Katz', ...his, tom.user.id]) expect(text).not.toContain(words);
  }
  const ofTom = await read({ adviserId: tom.user.id });
  expect(ofTom.samples).toHaveLength(2);
  expect(ofTom.pdf).toMatch(
    /2 sessions drawn at random from 3: those of Tom Katz \([\da-f]{8}\), not reviewed by then\./,
  );
  const ofClient = await read({ clientReference: 'F-11' });
  expect(ofClient.samples).toHaveLength(1);
  expect(ofClient.csv).toContain('In this pack: 1 of them.');
});
