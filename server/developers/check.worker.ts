import { parentPort } from 'node:worker_threads';
import { publicLookup } from '#server/platform/http/outgoing.ts';
import type { Examination, WorkerMessage } from './run-check.ts';
import { examine } from './tool-check/examine.js';
import type { Launcher } from './tool-check/exam.js';

const aliveEveryMs = 1000;
const patienceMs = 8000;
/** How long to wait for reports: of a session that we finished, or of one that the tool ends by itself. */
const waitMs = { finished: 20_000, open: 5000 };

const say = (said: WorkerMessage) => parentPort?.postMessage(said);

type Answer = { id: number; value: unknown };
const waiting = new Map<number, (value: never) => void>();
let asked = 0;
type LauncherCall = Extract<WorkerMessage, { asked: unknown }>['asked'];
const ask = <Value>(method: LauncherCall['method'], ...args: unknown[]) =>
  new Promise<Value>((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    say({ asked: { id: asked, method, args } });
  });

async function run({ url, page, finish, events, toolId, advisers, publicOnly }: Examination): Promise<void> {
  const launcher: Launcher = {
    advisers,
    toolId,
    launch: (which) => ask('launch', which),
    expiredToken: () => ask('expiredToken'),
    otherToolsToken: () => ask('otherToolsToken'),
    isUnused: (token) => ask('isUnused', token),
    calls: () => ask('calls'),
    secretAmong: (words) => ask('secretAmong', words),
    shut: (token) => ask('shut', token),
    erasure: () => ask('erasure'),
    sign: (message) => ask('sign', message),
  };
  const target = {
    url,
    ...(page !== null && { page }),
    ...(finish !== null && { finish }),
    ...(events !== null && { events }),
  };
  await examine(target, launcher, (found) => say({ found }), {
    patienceMs,
    waitMs: finish === null ? waitMs.open : waitMs.finished,
    ...(publicOnly && { lookup: publicLookup }),
  });
}

/** A thread that examines one tool. */
parentPort?.on('message', (message: Examination | Answer) => {
  if ('id' in message) {
    waiting.get(message.id)?.(message.value as never);
    waiting.delete(message.id);
    return;
  }
  say({ alive: true });
  setInterval(() => say({ alive: true }), aliveEveryMs);
  run(message).then(
    () => say({ done: true }),
    (error: unknown) => say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
