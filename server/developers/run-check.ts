import { minute, plus } from '#shared/rules/dates.ts';
import type { ToolFinding } from '#shared/rules/tools/tool-checks.ts';
import { launchTokenMinutes, triedOut } from '#shared/rules/tools/tools.ts';
import { insertLaunchToken, tokensOf } from '#server/access-tokens/service.ts';
import { findTool, otherOwnTool } from '#server/catalogue/service.ts';
import { testAdvisers } from '#server/people/service.ts';
import { checkRuns, signing, subjectOf } from '#server/tools/service.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { startThread } from '#server/platform/threads.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import type { Message as Signed } from './tool-check/events.js';
import type { Launcher } from './tool-check/exam.js';

export const checkJob = 'check-tool';

/** What the thread is asked to examine, and what it says. */
export type Examination = {
  url: string;
  page: string | null;
  finish: string | null;
  events: string | null;
  toolId: string;
  advisers: Launcher['advisers'];
  /** Whether to call public addresses only. */
  publicOnly: boolean;
};
type LauncherCall = { id: number; method: keyof ReturnType<typeof launcherOf>; args: unknown[] };
export type WorkerMessage =
  { alive: true } | { found: ToolFinding } | { asked: LauncherCall } | { done: true } | { fault: string };

/** How long an examination may take; most take about ten seconds. */
export const longestMs = 4 * minute;
/** A thread that has begun, and is silent for this long while we are not late ourselves, is stuck on a page. */
const silentMs = 15_000;
const noteEveryMs = 1000;
const aliveEveryMs = 5000;

/** A job: examines a tool as its maker asked. A run that has begun before was cut off, and is not begun again. */
export async function runCheck(context: Context, run: string): Promise<void> {
  const check = await checkRuns.beginCheck(context.db, run, realNow());
  if (!check) return checkRuns.endCheck(context.db, run, 'The check was cut off. Please run it again.', realNow());
  const fault = await examineInThread(context, check).catch((error: unknown) => {
    context.log.error({ err: error, tool: check.toolId }, 'a tool could not be examined');
    return 'The check failed because of a fault on our side. Please run it again.';
  });
  await checkRuns.endCheck(context.db, run, fault, realNow());
}

/** The pages are a stranger's, so they are read in a thread that can be ended. Returns why it was ended, else null. */
async function examineInThread(context: Context, check: checkRuns.ToolCheck): Promise<string | null> {
  const { db, env } = context;
  const people = (await testAdvisers.testAdvisersOf(db, check.toolId))
    .filter(({ ended }) => ended === null)
    .slice(0, 2);
  if (people.length === 0) return 'No test adviser may open the tool any more. Give one access, and run it again.';
  const tool = await findTool(db, check.toolId);
  const launcher = launcherOf(
    context,
    check,
    people.map(({ id }) => id),
  );
  const worker = startThread('developers/check.worker', 'tool check', {
    maxOldGenerationSizeMb: 192,
    maxYoungGenerationSizeMb: 32,
  });
  worker.unref();
  let found: ToolFinding[] = [];
  let noting: Promise<boolean> = Promise.resolve(true);
  const note = () => {
    const fresh = found;
    found = [];
    noting = noting.then(() => checkRuns.keepChecking(db, check.run, fresh, realNow()));
    return noting;
  };
  const timers: NodeJS.Timeout[] = [];
  try {
    const ended = await new Promise<string | null>((resolve, reject) => {
      const begun = performance.now();
      let [heard, watched, noted] = [Infinity, begun, begun];
      const watch = () => {
        const now = performance.now();
        // On a busy machine the thread waits as we do.
        heard += Math.max(0, now - watched - noteEveryMs);
        watched = now;
        if (now - begun > longestMs) resolve('The check took too long: the tool answers slowly. Please run it again.');
        if (now - heard > silentMs) resolve('The check stopped over a page of the tool that takes too long to read.');
        if (found.length === 0 && now - noted < aliveEveryMs) return;
        noted = now;
        note().then((going) => going || resolve(null), reject);
      };
      timers.push(setInterval(watch, noteEveryMs));
      worker.on('message', (said: WorkerMessage) => {
        heard = performance.now();
        if ('found' in said) found.push(said.found);
        else if ('done' in said) resolve(null);
        else if ('fault' in said) reject(new Error(said.fault));
        else if ('asked' in said) void answer(said.asked);
      });
      const answer = async ({ id, method, args }: LauncherCall) => {
        try {
          const ask = launcher[method] as (...given: unknown[]) => Promise<unknown>;
          worker.postMessage({ id, value: await ask(...args) }, []);
        } catch (error) {
          reject(error);
        }
      };
      // Such as too much memory.
      worker.on('error', (error) => reject(error));
      worker.on('exit', () => reject(new Error('the thread ended')));
      const { domain: url, page, finish } = check;
      const advisers = people.map(({ id, email, firstName, lastName }) => ({
        sub: tool ? subjectOf(tool, id) : id,
        email,
        name: `${firstName} ${lastName}`,
        given_name: firstName,
      }));
      const examination: Examination = {
        url,
        page,
        finish,
        advisers,
        toolId: check.toolId,
        events: (tool && triedOut(tool)?.eventsUrl) ?? null,
        publicOnly: env.mode === 'production',
      };
      worker.postMessage(examination, []);
    });
    await note();
    return ended;
  } finally {
    timers.forEach(clearInterval);
    await worker.terminate();
  }
}

/** What the examiner asks of Adviserly, answered from our own tables. */
function launcherOf({ db, env, now }: Context, { toolId, run }: checkRuns.ToolCheck, people: string[]) {
  const token = async (which: number, of: string, minutes: number) => {
    const made = newToken();
    const expiresAt = plus(now(), minutes * minute);
    const launch = { userId: people[which]!, toolId: of, token: hashToken(made), expiresAt, createdAt: now() };
    await insertLaunchToken(db, { ...launch, fromCheck: true });
    return made;
  };
  return {
    launch: (which: number) => token(which, toolId, launchTokenMinutes),
    expiredToken: () => token(0, toolId, -1),
    otherToolsToken: async () => {
      const other = await otherOwnTool(db, toolId);
      return other && token(0, other.id, launchTokenMinutes);
    },
    isUnused: async (made: string) => (await tokensOf(db, [hashToken(made)])).some(({ usedAt }) => usedAt === null),
    calls: () => checkRuns.callsOf(db, run),
    secretAmong: (words: string[]) => signing.secretAmong(db, toolId, words),
    shut: async (made: string) => {
      const hash = hashToken(made);
      const opened = (await checkRuns.callsOf(db, run)).find(({ tokenHash, active }) => tokenHash === hash && active);
      return opened?.session_id !== undefined && checkRuns.shutSession(db, run, opened.session_id);
    },
    erasure: async () => run,
    sign: ({ id, at, body }: Signed) => signing.signedHeaders(db, env, toolId, { id, body, at: new Date(at * 1000) }),
  } satisfies Omit<Launcher, 'advisers' | 'toolId'>;
}
