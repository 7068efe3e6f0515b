import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from './app-error.ts';

export type Passwords = {
  hash(plain: string): Promise<string>;
  /** A null hash (no such account) takes as long and is never right. */
  verify(plain: string, hash: string | null): Promise<{ ok: boolean; needsRehash: boolean }>;
  close(): Promise<void>;
};

type Options = {
  /** bcrypt's cost; each step doubles the time. */
  cost?: number;
  threads?: number;
  /** How many may wait; further ones are refused as busy. */
  queueLimit?: number;
  startWorker?: () => Worker;
};

type Waiting = { job: PasswordJob; resolve: (result: string | boolean) => void; reject: (error: Error) => void };

/** bcrypt reads 72 bytes and ignores the rest. */
const MAX_BYTES = 72;

/** Hashing in separate threads: on the main one, eight sign-ins at once would block every other request for 0.8 s. */
export function createPasswords(options: Options = {}): Passwords {
  const { cost = 12, queueLimit = 200, startWorker = startPasswordWorker } = options;
  const threads = options.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1));
  const waiting: Waiting[] = [];
  const busy = new Map<Worker, Waiting>();
  const idle: Worker[] = [];
  // A well-formed hash of this cost, of no known password.
  const dummyHash = `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuu${'x'.repeat(31)}`;
  let closed = false;

  function start(): Worker {
    const worker = startWorker();
    worker.on('message', (answer: PasswordAnswer) => {
      const done = busy.get(worker);
      busy.delete(worker);
      worker.unref();
      idle.push(worker);
      if ('result' in answer) done?.resolve(answer.result);
      else done?.reject(new Error(`Password hashing failed: ${answer.fault}`));
      next();
    });
    const lost = (error?: unknown) => {
      const done = busy.get(worker);
      busy.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
      done?.reject(new Error('The password thread ended', { cause: error }));
      if (!closed) next();
    };
    worker.on('error', lost);
    worker.on('exit', () => lost());
    return worker;
  }

  function next(): void {
    while (waiting.length > 0 && (idle.length > 0 || busy.size < threads)) {
      const one = waiting.shift();
      if (!one) return;
      const worker = idle.pop() ?? start();
      worker.ref(); // a script must not end while its hash is being made
      busy.set(worker, one);
      worker.postMessage(one.job, []);
    }
  }

  function run(job: PasswordJob): Promise<string | boolean> {
    if (closed) return Promise.reject(new AppError('busy', { retryAfterSeconds: 2 }));
    if (waiting.length >= queueLimit) return Promise.reject(new AppError('busy', { retryAfterSeconds: 5 }));
    return new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      next();
    });
  }

  return {
    hash: async (plain) => {
      if (Buffer.byteLength(plain) > MAX_BYTES) throw new RangeError(`A password has at most ${MAX_BYTES} bytes.`);
      return String(await run({ kind: 'hash', plain, cost }));
    },
    verify: async (plain, hash) => {
      const tooLong = Buffer.byteLength(plain) > MAX_BYTES;
      const equal = await run({ kind: 'compare', plain, hash: hash ?? dummyHash });
      const ok = equal === true && hash !== null && !tooLong;
      return { ok, needsRehash: ok && Number(/^\$2\w\$(\d\d)\$/.exec(hash)?.[1] ?? 0) < cost };
    },
    close: async () => {
      closed = true;
      for (const one of waiting.splice(0)) one.reject(new AppError('busy', { retryAfterSeconds: 2 }));
      await Promise.all([...busy.keys(), ...idle].map((worker) => worker.terminate()));
    },
  };
}

export type PasswordJob =
  { kind: 'hash'; plain: string; cost: number } | { kind: 'compare'; plain: string; hash: string };

/** What the thread answers. */
export type PasswordAnswer = { result: string | boolean } | { fault: string };

// A string, because the bundle has no separate file for the thread.
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
