import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { evidenceStamps } from '#shared/schema/evidence.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { type AuthorityAnswer, timeStampingAuthority } from '#server/testing/time-stamping-authority.ts';
import { stampPack } from './stamp.ts';
import { timeStampOf } from './time-stamp.ts';

let authority: Awaited<ReturnType<typeof timeStampingAuthority>>;
let app: TestApp;
beforeAll(async () => {
  authority = await timeStampingAuthority();
  app = await startTestApp({ TIMESTAMP_URL: authority.url });
});
beforeEach(() => authority.answerWith('right'));
afterAll(async () => {
  await app.stop();
  await authority.stop();
});

/** A pack of one session, made by whoever is signed in. */
async function madePack() {
  const { worked, packOf, listed, bytesOf } = stepsOf(app);
  const { agent, user } = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  await worked(user.id);
  const id = await packOf(agent);
  return { id, agent, pack: (await listed(agent))[0]!, bytesOf };
}

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

it.skipIf(!hasOpenssl)('an authority vouches for the head of a pack, which OpenSSL verifies without us', async () => {
  const { id, agent, pack, bytesOf } = await madePack();
  expect(pack.made!.stamp).toMatchObject({ authority: 'Test Time Authority' });
  expect(Math.abs(new Date(pack.made!.stamp!.at).getTime() - Date.now())).toBeLessThan(60_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-stamp-'));
  const [stamp, trusted] = ['stamp.tsr', 'authority.pem'].map((name) => path.join(folder, name)) as [string, string];
  fs.writeFileSync(stamp, await bytesOf(agent, id, 'stamp'));
  fs.writeFileSync(trusted, authority.pem);
  const verified = (digest: string) =>
    spawnSync('openssl', ['ts', '-verify', '-digest', digest, '-in', stamp, '-CAfile', trusted], { encoding: 'utf8' });
  const right = verified(pack.made!.head);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
  expect(`${right.stdout}${right.stderr}`).toContain('Verification: OK');
  const files = { 'a.tsr': await bytesOf(agent, id, 'stamp'), 'a.csv': await bytesOf(agent, id, 'csv') };
  expect((await stepsOf(app).check(files))[0]).toMatchObject({ kind: 'stamp', faults: [], comparedWith: 'csv' });
});

it('a stamp is for those who may read the pack, and is never changed', async () => {
  const { id } = await madePack();
  const stranger = await app.signedIn();
  await stranger.agent.get(`/api/record/packs/${id}/stamp`).expect(404);
  const { db } = app.context;
  const appendOnly = { cause: { message: expect.stringMatching(/append-only|permission denied/) as string } };
  await expect(
    db.update(evidenceStamps).set({ authority: 'x' }).where(eq(evidenceStamps.packId, id)),
  ).rejects.toMatchObject(appendOnly);
  await expect(db.delete(evidenceStamps).where(eq(evidenceStamps.packId, id))).rejects.toMatchObject(appendOnly);
});

it('a pack is there without its stamp while the authority is away, and gets it once', async () => {
  authority.answerWith('fault');
  const { id, agent, pack } = await madePack();
  expect(pack).toMatchObject({ state: 'made', made: { stamp: null } });
  expect((await agent.get(`/api/record/packs/${id}/stamp`).expect(404)).body).toMatchObject({
    code: 'pack_not_stamped',
  });
  authority.answerWith('right');
  await Promise.all([stampPack(app.context, id), stampPack(app.context, id)]);
  await agent.get(`/api/record/packs/${id}/stamp`).expect(200, /./);
  const [stamp] = await app.context.db.select().from(evidenceStamps).where(eq(evidenceStamps.packId, id));
  authority.answerWith('fault');
  await stampPack(app.context, id);
  expect(await app.context.db.select().from(evidenceStamps).where(eq(evidenceStamps.packId, id))).toEqual([stamp]);
});

it.each<[AuthorityAnswer, RegExp]>([
  ['another hash', /about something else/],
  ['another nonce', /another question/],
  ['another time', /No certificate in the answer has signed/],
  ['refused', /refused: status 2/],
  ['fault', /answered 500/],
])('an answer with %s vouches for nothing', async (answer, says) => {
  authority.answerWith(answer);
  await expect(timeStampOf(authority.url, 'ab'.repeat(32))).rejects.toThrow(says);
});
