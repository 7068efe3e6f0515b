import type { Worker } from 'node:worker_threads';
import { AppError } from './app-error.ts';
import { type Asker, createWaitingLine } from './waiting-line.ts';

type Options = {
  /** What they do, for the error when one of them ends. */
  name: string;
  threads: number;
  startWorker: () => Worker;
  /** How many may wait, and how many of them for one asker; further ones are refused as busy. */
  limit: number;
  share: number;
  /** How long somebody waits for their turn. Our own work, without an asker, waits as long as it takes. */
  deadlineMs: number;
};

/** What a thread answers to a job. */
export type ThreadAnswer<Result> = { result: Result } | { fault: string };

type Waiting<Job, Result> = {
  job: Job;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
  deadline: NodeJS.Timeout | undefined;
};

export type Threads<Job, Result> = { run(job: Job, asker?: Asker): Promise<Result>; close(): Promise<void> };

const busyFor = (retryAfterSeconds: number) => new AppError('busy', { retryAfterSeconds });

/** Costly work in separate threads, few at once, in the order of a waiting line. A thread that dies fails its job and is replaced. */
export function createThreads<Job, Result>(options: Options): Threads<Job, Result> {
  const { name, threads, startWorker, deadlineMs } = options;
  const line = createWaitingLine<Waiting<Job, Result>>(options);
  const busy = new Map<Worker, Waiting<Job, Result>>();
  const idle: Worker[] = [];
  let closed = false;

  function start(): Worker {
    const worker = startWorker();
    worker.on('message', (answer: ThreadAnswer<Result>) => {
      const done = busy.get(worker);
      busy.delete(worker);
      worker.unref();
      idle.push(worker);
      if ('result' in answer) done?.resolve(answer.result);
      else done?.reject(new Error(`${name} failed: ${answer.fault}`));
      next();
    });
    const lost = (error?: unknown) => {
      const done = busy.get(worker);
      busy.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
      done?.reject(new Error(`The thread of ${name} ended`, { cause: error }));
      if (!closed) next();
    };
    worker.on('error', lost);
    worker.on('exit', () => lost());
    return worker;
  }

  function next(): void {
    while (idle.length > 0 || busy.size < threads) {
      const one = line.next();
      if (!one) return;
      clearTimeout(one.deadline);
      const worker = idle.pop() ?? start();
      worker.ref(); // a script must not end while its work is being done
      busy.set(worker, one);
      worker.postMessage(one.job, []);
    }
  }

  return {
    run: (job, asker) => {
      if (closed) return Promise.reject(busyFor(2));
      return new Promise((resolve, reject) => {
        const one: Waiting<Job, Result> = { job, resolve, reject, deadline: undefined };
        if (!line.enter(one, asker)) return reject(busyFor(5));
        const giveUp = () => {
          line.leave(one);
          reject(busyFor(5));
        };
        if (asker) one.deadline = setTimeout(giveUp, deadlineMs);
        next();
      });
    },
    close: async () => {
      closed = true;
      for (const { deadline, reject } of line.clear()) {
        clearTimeout(deadline);
        reject(busyFor(2));
      }
      await Promise.all([...busy.keys(), ...idle].map((worker) => worker.terminate()));
    },
  };
}
