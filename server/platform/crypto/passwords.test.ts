import bcrypt from 'bcryptjs';
import { createHmac } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { brand } from '#shared/brand.ts';
import { isGuessable } from '#shared/rules/people/guessable.ts';
import { createPasswords, type Passwords, startPasswordWorker } from './passwords.ts';

const open: Passwords[] = [];
function passwords(options: Parameters<typeof createPasswords>[0] = {}): Passwords {
  const made = createPasswords({ cost: 4, ...options });
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

/** A thread that the first job kills. */
const brittleWorker = () =>
  new Worker(`require('node:worker_threads').parentPort.on('message', () => process.exit(1))`, { eval: true });

test('a hash is bcrypt’s of a digest, salted, and fits its password only', async () => {
  const { hash, verify } = passwords();
  const [one, two] = await Promise.all([hash('Correct-Horse-1'), hash('Correct-Horse-1')]);
  expect(one).toMatch(/^sha256:\$2b\$04\$.{53}$/);
  expect(one).not.toBe(two);
  expect(await verify('Correct-Horse-1', one)).toEqual({ ok: true, needsRehash: false });
  expect(await verify('correct-horse-1', one)).toEqual({ ok: false, needsRehash: false });
});

test('a hash of a lower cost fits its password, and asks for a new one', async () => {
  const old = await passwords().hash('Correct-Horse-1');
  expect(await passwords({ cost: 5 }).verify('Correct-Horse-1', old)).toEqual({ ok: true, needsRehash: true });
});

test('an unknown account costs a real compare in the thread, and is refused', async () => {
  const jobs: unknown[] = [];
  const startWorker = () => {
    const worker = startPasswordWorker();
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (job: unknown) => (jobs.push(job), post(job));
    return worker;
  };
  const { verify } = passwords({ startWorker });
  expect(await verify('anything', null)).toEqual({ ok: false, needsRehash: false });
  expect(jobs).toEqual([
    { kind: 'compare', plain: expect.stringMatching(/^.{43}=$/), hash: expect.stringMatching(/^\$2b\$04\$.{53}$/) },
  ]);
});

const composed = 'Ren\u00E9e-Caf\u00E9-1';
const decomposed = composed.normalize('NFD');
const odd = 'Rene\u0301e-Caf\u00E9-1';

test.each([
  ['typed composed, then decomposed (hydra#2882)', composed, decomposed],
  ['typed decomposed, then composed', decomposed, composed],
  ['typed with some of each', odd, composed],
])('a password fits in whatever form it is typed: %s', async (_how, first, then) => {
  const { hash, verify } = passwords();
  expect(await verify(then, await hash(first))).toEqual({ ok: true, needsRehash: false });
});

test.each([
  ['decomposed as then', decomposed, decomposed],
  ['composed now', decomposed, composed],
])('an old hash of a decomposed password fits, typed %s, and asks for a new one', async (_how, first, then) => {
  const digest = createHmac('sha256', 'adviserly password').update(first).digest('base64');
  const old = `sha256:${bcrypt.hashSync(digest, 4)}`;
  expect(await passwords().verify(then, old)).toEqual({ ok: true, needsRehash: true });
  expect((await passwords().verify('Renee-Cafe-1', old)).ok).toBe(false);
});

test('every character of a long passphrase counts, also behind bcrypt’s 72 bytes and a NUL', async () => {
  const { hash, verify } = passwords();
  const passphrase = 'é'.repeat(300);
  const made = await hash(`${passphrase}\0a`);
  expect((await verify(`${passphrase}\0a`, made)).ok).toBe(true);
  for (const other of [passphrase, `${passphrase}\0b`, 'é'.repeat(36)])
    expect((await verify(other, made)).ok).toBe(false);
});

test('a plain bcrypt hash from before fits, is matched by no longer password, and asks for a new one', async () => {
  const { verify } = passwords();
  const full = 'x'.repeat(72);
  const old = bcrypt.hashSync(full, 4);
  expect(await verify(full, old)).toEqual({ ok: true, needsRehash: true });
  expect((await verify(`${full}y`, old)).ok).toBe(false);
});

test('a thread makes the hash, and the main one goes on', async () => {
  const { hash } = passwords({ cost: 12, threads: 1 });
  let done = false;
  const hashing = hash('Correct-Horse-1').then(() => (done = true));
  let turns = 0;
  for (;;) {
    if (done) break;
    turns += 1;
    await new Promise(setImmediate);
  }
  await hashing;
  expect(turns).toBeGreaterThan(10);
});

test('an address past its share of the line hears that the service is busy, and those in the line are served', async () => {
  const { hash } = passwords({ threads: 1, share: 2 });
  const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((plain) => hash(plain, { key: '192.0.2.1' })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(results[3]).toMatchObject({ reason: { code: 'busy', retryAfterSeconds: 5 } });
});

test('the database gets two for each thread, the rest waits outside, and a known device is next', async () => {
  const { admit } = passwords({ threads: 1 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (name: string) =>
    admit(
      () =>
        new Promise<void>((resolve) => {
          begun.push(name);
          ends.push(resolve);
        }),
      { key: name, first: name === 'device' },
    );
  const all = ['a', 'b', 'c', 'device'].map(enter);
  expect(begun).toEqual(['a', 'b']);
  ends[0]!();
  await all[0];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'device']);
  for (let i = 1; i < all.length; i += 1) {
    ends[i]!();
    await all[['a', 'b', 'c', 'device'].indexOf(begun[i]!)];
    await new Promise(setImmediate);
  }
  expect(begun).toEqual(['a', 'b', 'device', 'c']);
});

test('nobody waits longer than the deadline, and no hash is made of what was given up', async () => {
  const { hash } = passwords({ cost: 10, threads: 1, deadlineMs: 1 });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((plain) => hash(plain, { key: plain })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(results[1]).toMatchObject({ reason: { code: 'busy', retryAfterSeconds: 5 } });
  expect(await hash('ours')).toMatch(/^sha256:/);
});

test('a thread that dies fails its job only, and is replaced', async () => {
  let started = 0;
  const startWorker = () => ((started += 1) === 1 ? brittleWorker() : startPasswordWorker());
  const { hash } = passwords({ threads: 1, startWorker });
  const results = await Promise.allSettled([hash('a'), hash('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(started).toBe(2);
});

test('the product’s name is refused as a password', () => {
  expect(isGuessable(`${brand.name}1`, [])).toBe(true);
});
