import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createGate } from '../http/gate.ts';
import { createThreads } from '../threads.ts';
import type { Asker } from '../http/waiting-line.ts';
import { type JudgedPassword, type Judgement, startJudge } from './judge-thread.ts';

export type Passwords = {
  hash(plain: string, asker?: Asker): Promise<string>;
  /** A null hash (no such account) takes just as long and is never right. */
  verify(plain: string, hash: string | null, asker?: Asker): Promise<{ ok: boolean; needsRehash: boolean }>;
  judge(judged: JudgedPassword, asker?: Asker): Promise<Judgement>;
  /**
   * The way in to work that ends in hashing: whoever would have to wait for a thread anyway waits here, before the first
   * query, or a flood of sign-ins would exhaust the database pool.
   */
  admit<T>(work: () => Promise<T>, asker?: Asker): Promise<T>;
  close(): Promise<void>;
};

export type PasswordOptions = {
  /** bcrypt's cost; each step doubles the time. */
  cost?: number;
  threads?: number;
  /** How many may wait in all, how many for one address, device or person, and how long. */
  limit?: number;
  share?: number;
  deadlineMs?: number;
  startWorker?: () => Worker;
};

/** The prefix of hashes made today; those without it are older, plain bcrypt. */
const current = 'sha256:';
/** Plain bcrypt reads 72 bytes and ignores the rest, so a longer password must never match such a hash. */
const plainMaxBytes = 72;

/**
 * One keyboard types é as one character, another as e with an accent: passwords are hashed composed (NIST SP 800-63B-4, 3.1.1.2). Older
 * hashes are of what was typed, so that is compared too, and what a keyboard of the other kind would have typed.
 */
const formsOf = (plain: string) => [...new Set([plain.normalize('NFC'), plain, plain.normalize('NFD')])];

/** Always 44 characters without NUL, so that bcrypt reads all of it. The label keeps it different from hashes leaked elsewhere. */
const digest = (plain: string) => createHmac('sha256', 'adviserly password').update(plain).digest('base64');

/** Hashing in separate threads: on the main one, eight sign-ins at once would block every other request for 0.8 s. */
export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { cost = 12, limit = 64, share = 16, deadlineMs = 3000, startWorker = startPasswordWorker } = options;
  const atOnce = options.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1));
  const line = { limit, share, deadlineMs, oneEach: true };
  const threads = createThreads<PasswordJob, string | boolean>({
    name: 'password hashing',
    atOnce,
    startWorker,
    ...line,
  });
  const judges = createThreads<JudgedPassword, Judgement>({
    name: 'judging passwords',
    atOnce: 1,
    startWorker: startJudge,
    ...line,
  });
  // Two for each thread: while one is hashed, the next is looked up.
  const entrance = createGate({ atOnce: 2 * atOnce, ...line });
  // A well-formed hash of this cost, of no known password.
  const dummyHash = `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuu${'x'.repeat(31)}`;
  return {
    hash: async (plain, asker) => {
      const composed = plain.normalize('NFC');
      return `${current}${await threads.run({ kind: 'hash', plain: digest(composed), cost }, asker)}`;
    },
    verify: async (plain, hash, asker) => {
      const isCurrent = hash?.startsWith(current) ?? true;
      const known = hash?.replace(current, '') ?? dummyHash;
      const isOld = !isCurrent || Number(/^\$2\w\$(\d\d)\$/.exec(known)?.[1] ?? 0) < cost;
      for (const [at, form] of formsOf(plain).entries()) {
        const possible = isCurrent || Buffer.byteLength(form) <= plainMaxBytes;
        const job = { plain: isCurrent ? digest(form) : form, hash: known };
        const equal = await threads.run({ kind: 'compare', ...job }, asker);
        if (equal === true && hash !== null && possible) return { ok: true, needsRehash: isOld || at > 0 };
      }
      return { ok: false, needsRehash: false };
    },
    judge: judges.run,
    admit: entrance.run,
    close: async () => {
      entrance.close();
      await threads.close();
      await judges.close();
    },
  };
}

type PasswordJob = { kind: 'hash'; plain: string; cost: number } | { kind: 'compare'; plain: string; hash: string };

// A string, because the bundle has no separate file for this thread.
const source = `
  const { parentPort, workerData } = require('node:worker_threads');
  const bcrypt = require(workerData.bcrypt);
  parentPort.on('message', (job) => {
    try {
      const result = job.kind === 'hash' ? bcrypt.hashSync(job.plain, job.cost) : bcrypt.compareSync(job.plain, job.hash);
      parentPort.postMessage({ result });
    } catch (error) {
      parentPort.postMessage({ fault: String(error && error.message) });
    }
  });
`;

export function startPasswordWorker(): Worker {
  const bcrypt = createRequire(import.meta.url).resolve('bcryptjs');
  return new Worker(source, { eval: true, workerData: { bcrypt }, execArgv: [], name: 'passwords' });
}
