import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What zxcvbn says of a password: from 0, guessed at once, to 4, and the name of what makes it easy. */
export type Judgement = { score: number; warning: string | null };
export type JudgedPassword = { plain: string; own: readonly string[] };

// A string, because the bundle has no separate file for this thread.
const source = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { ZxcvbnFactory } = require(workerData.core);
  const { dictionary, adjacencyGraphs } = require(workerData.words);
  const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  parentPort.on('message', ({ plain, own }) => {
    try {
      const { score, feedback } = judge.check(plain, own);
      parentPort.postMessage({ result: { score, warning: feedback.warning } });
    } catch (error) {
      parentPort.postMessage({ fault: String(error && error.message) });
    }
  });
`;

/** In a thread, since a long password takes a tenth of a second or more. */
export function startJudge(): Worker {
  const require = createRequire(import.meta.url);
  const workerData = { core: require.resolve('@zxcvbn-ts/core'), words: require.resolve('@zxcvbn-ts/language-common') };
  return new Worker(source, { eval: true, workerData, execArgv: [], name: 'password-judge' });
}
