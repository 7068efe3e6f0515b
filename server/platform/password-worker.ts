import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export type PasswordJob =
  { kind: 'hash'; plain: string; cost: number } | { kind: 'compare'; plain: string; hash: string };

/** What the thread answers. */
export type PasswordAnswer = { result: string | boolean } | { fault: string };

// A string, not a file: so the thread is the same under tsx, in tests and in the bundle, where no file of its own exists.
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
