import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { root } from './data/migrate.ts';
import { createGate, type GateOptions } from './http/gate.ts';
import type { Asker } from './http/waiting-line.ts';

type Options = GateOptions & {
  /** What the threads do, for error messages. */
  name: string;
  startWorker: () => Worker;
};

/** A thread's answer to a job. */
export type ThreadAnswer<Result> = { result: Result } | { fault: string };

type Doing<Result> = { resolve: (result: Result) => void; reject: (error: Error) => void };

export type Threads<Job, Result> = { run(job: Job, asker?: Asker): Promise<Result>; close(): Promise<void> };

/** Starts a thread from a file under `server`, named without its extension: its own built file in `dist`, otherwise its source, through tsx. */
export function startThread(file: string, name: string, resourceLimits: ResourceLimits = {}): Worker {
  const built = path.join(root, 'dist');
  if (import.meta.dirname.startsWith(built))
    return new Worker(path.join(built, `${file}.js`), { name, resourceLimits });
  const source = `import('tsx/esm/api').then(({ register }) => (register(), import(require('node:worker_threads').workerData)))`;
  const workerData = pathToFileURL(path.join(root, 'server', `${file}.ts`)).href;
  return new Worker(source, { eval: true, workerData, execArgv: [], name, resourceLimits });
}

/** Costly work in threads of its own, behind a gate. A thread that dies fails its job and is replaced. */
export function createThreads<Job, Result>({ name, startWorker, ...gateOptions }: Options): Threads<Job, Result> {
  const gate = createGate(gateOptions);
  const busy = new Map<Worker, Doing<Result>>();
  const idle: Worker[] = [];

  function start(): Worker {
    const worker = startWorker();
    worker.on('message', (answer: ThreadAnswer<Result>) => {
      const done = busy.get(worker);
      busy.delete(worker);
      worker.unref();
      idle.push(worker);
      if ('result' in answer) done?.resolve(answer.result);
      else done?.reject(new Error(`${name} failed: ${answer.fault}`));
    });
    const lost = (error?: unknown) => {
      const done = busy.get(worker);
      busy.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
      done?.reject(new Error(`The thread of ${name} ended`, { cause: error }));
    };
    worker.on('error', lost);
    worker.on('exit', () => lost());
    return worker;
  }

  const inThread = (job: Job) =>
    new Promise<Result>((resolve, reject) => {
      const worker = idle.pop() ?? start();
      worker.ref(); // a script must not end while its work is being done
      busy.set(worker, { resolve, reject });
      worker.postMessage(job, []);
    });

  return {
    run: (job, asker) => gate.run(() => inThread(job), asker),
    close: async () => {
      gate.close();
      await Promise.all([...busy.keys(), ...idle].map((worker) => worker.terminate()));
    },
  };
}
