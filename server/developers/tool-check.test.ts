import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { checkRuns, signing } from '#server/tools/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { expireToken } from '#server/dev/queries.ts';
import { signed } from './tool-check/events.js';
import { examine } from './tool-check/examine.js';
import type { Finding, Launcher, Target } from './tool-check/exam.js';
import { certificate } from './testing/tools-under-check/certificate.ts';
import { RightTool, startTool, type Otherwise } from './testing/tools-under-check/right-tool.ts';
import { rightFrameworks } from './testing/tools-under-check/right-frameworks.ts';
import { rightMakers } from './testing/tools-under-check/right-makers.ts';
import { rightOnes } from './testing/tools-under-check/right-ones.ts';
import { cheats } from './testing/tools-under-check/wrong-cheats.ts';
import { tokens, unreachable, type WrongSetting } from './testing/tools-under-check/wrong-arrivals.ts';
import { eventTools } from './testing/tools-under-check/wrong-events.ts';
import { endings } from './testing/tools-under-check/wrong-endings.ts';
import { finishers, firstVersions } from './testing/tools-under-check/wrong-makers.ts';
import { downgrades, reporters } from './testing/tools-under-check/wrong-work.ts';
import { openings } from './testing/tools-under-check/wrong-refusals.ts';
import { reports } from './testing/tools-under-check/wrong-reports.ts';
import { cookies, sessions } from './testing/tools-under-check/wrong-sessions.ts';
import { watchToolCalls } from '#server/dev/tool-calls.ts';

const app = testApp();
const toolIds = catalogue.filter((tool) => !tool.comingSoon).map(({ id }) => id);
/** The last is the other tool, whose calls would otherwise be among those of an examined one. */
const otherId = toolIds.pop()!;
const secrets = new Map<string, string>();
const signingSecret = signing.newSigningSecret();
let callsOf: ReturnType<typeof watchToolCalls>;
beforeAll(async () => {
  callsOf = watchToolCalls(app.context);
  for (const id of [...toolIds, otherId]) secrets.set(id, await makeSecret(app, id));
});

/** Two new advisers who both have this tool and the other one. */
async function launcherFor(toolId: string): Promise<Launcher> {
  const people = [
    await app.signedIn({ firstName: 'Isla', lastName: 'Marchetti' }),
    await app.signedIn({ firstName: `Tobias </b>"&'`, lastName: 'Okafor' }),
  ];
  const subscribed = people.flatMap(({ user }) => [toolId, otherId].map((id) => ({ userId: user.id, toolId: id })));
  await app.context.db
    .insert(toolSubscriptions)
    .values(subscribed.map((one) => ({ ...one, status: 'active' as const })));
  const launch = async (who: number, id = toolId) =>
    (await people[who]!.agent.post('/api/auth/token').send({ toolId: id }).expect(200)).body.token as string;
  const since = realNow().getTime();
  const [run, requestedAt] = [randomUUID(), realNow()];
  await checkRuns.insertCheck(app.context.db, {
    toolId,
    run,
    domain: '',
    page: null,
    finish: null,
    examined: null,
    requestedAt,
  });
  await checkRuns.beginCheck(app.context.db, run, requestedAt);
  return {
    toolId,
    sign: async (message) => signed(signingSecret, message),
    advisers: people.map(({ user: { id, email, firstName, lastName } }) => ({
      sub: id,
      email,
      name: `${firstName} ${lastName}`,
      given_name: firstName,
    })),
    launch,
    otherToolsToken: () => launch(0, otherId),
    expiredToken: async () => {
      const token = await launch(0);
      await expireToken(app.context.db, hashToken(token), app.clock.now());
      return token;
    },
    isUnused: async (token, other) => {
      const id = other ? otherId : toolId;
      const { body } = await app
        .agent()
        .post('/api/tools/introspect')
        .auth(id, secrets.get(id)!)
        .type('form')
        .send({ token });
      return body.active as boolean;
    },
    calls: async () => callsOf(toolId).filter(({ at }) => at >= since),
    secretAmong: async (words) =>
      words.some((word) => word === signingSecret || `whsec_${word}` === signingSecret)
        ? 'the signing secret'
        : words.includes(secrets.get(toolId)!)
          ? 'the secret'
          : null,
    shut: async (token) => {
      const opened = callsOf(toolId).find((call) => call.tokenHash === hashToken(token) && call.active);
      return checkRuns.shutSession(app.context.db, run, opened!.session_id!);
    },
    erasure: async () => run,
  };
}

type Case = { tool: Otherwise; setting?: WrongSetting & { path?: string; finish?: false } };

async function examined({ tool, setting = {} }: Case, toolId: string): Promise<Finding[]> {
  const setup = (id: string) => ({ apiUrl: app.url, toolId: id, secret: secrets.get(id)!, signingSecret });
  const made = Object.assign(new RightTool(setup(toolId), setup(otherId)), tool);
  const { url, close } = await startTool(made, setting);
  const path = setting.path ?? '';
  const folder = path.replace(/\?.*/, '');
  const finish = setting.finish === false ? {} : { finish: `/${folder}${folder && '/'}finish` };
  const events = setting.events ? { events: `${url}events` } : {};
  const target: Target = { url: (setting.address?.(url) ?? url) + path, ...finish, ...events };
  const findings = await examine(target, await launcherFor(toolId), undefined, {
    patienceMs: setting.patienceMs ?? 8000,
    waitMs: 300,
    pollMs: 60,
    ...(setting.trusted && { ca: certificate.cert }),
    lookup: (host, options, done) =>
      host === 'gone.example'
        ? done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 4)
        : options.all
          ? done(null, [{ address: '127.0.0.1', family: 4 }])
          : done(null, '127.0.0.1', 4),
  });
  await close();
  return findings;
}

const known = [...unreachable, ...tokens, ...openings, ...cookies, ...sessions, ...reports, ...eventTools];
const wrong = [...known, ...endings, ...finishers, ...firstVersions, ...reporters, ...downgrades, ...cheats];
const fine = [...rightOnes, ...rightMakers, ...rightFrameworks];
const found = new Map<string, Finding[]>();

/** Examines them all, as many at once as there are tools to be. */
beforeAll(async () => {
  const waiting: [string, Case][] = [
    ...wrong.map(([what, tool, , , setting]): [string, Case] => [what, { tool, ...(setting && { setting }) }]),
    ...fine.map(([how, tool, setting]): [string, Case] => [how, { tool, ...(setting && { setting }) }]),
  ];
  const work = async (toolId: string) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) found.set(next[0], await examined(next[1], toolId));
  };
  await Promise.all(toolIds.map(work));
}, 1_800_000);

const faults = (what: string) => found.get(what)!.filter(({ result }) => result === 'wrong');

describe('a wrong tool', () => {
  it.each(wrong)('is found out, with advice: one that %s', (what, _tool, expected, sentence) => {
    expect(
      faults(what)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(expected.split(' ').toSorted());
    expect(
      faults(what)
        .map(({ advice }) => advice)
        .join('\n'),
    ).toMatch(sentence);
  });
  it('is one of sixty at least, each under a name of its own', () => {
    expect(new Set(wrong.map(([what]) => what)).size).toBe(wrong.length);
    expect(wrong.length).toBeGreaterThanOrEqual(60);
  });
});

describe('a right tool', () => {
  it.each(fine)('passes the check: %s', (how) => {
    expect(faults(how)).toEqual([]);
  });
});
