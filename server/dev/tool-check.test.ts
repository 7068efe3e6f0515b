import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { newSigningSecret } from '#server/tools/service.ts';
import { expireToken } from './queries.ts';
import { signed } from '#server/developers/tool-check/events.js';
import { examine } from '#server/developers/tool-check/examine.js';
import type { Finding, Launcher, Target } from '#server/developers/tool-check/exam.js';
import { certificate } from './tool-check-tools/certificate.ts';
import { RightTool, startTool, type Otherwise } from './tool-check-tools/right-tool.ts';
import { rightOnes } from './tool-check-tools/right-ones.ts';
import { tokens, unreachable, type WrongSetting } from './tool-check-tools/wrong-arrivals.ts';
import { eventTools } from './tool-check-tools/wrong-events.ts';
import { openings } from './tool-check-tools/wrong-refusals.ts';
import { reports } from './tool-check-tools/wrong-reports.ts';
import { cookies, sessions } from './tool-check-tools/wrong-sessions.ts';
import { watchToolCalls } from './tool-calls.ts';

const app = testApp();
const toolIds = catalogue.filter((tool) => !tool.comingSoon).map(({ id }) => id);
/** The last is the other tool, whose calls would otherwise be among those of an examined one. */
const otherId = toolIds.pop()!;
const secrets = new Map<string, string>();
const signingSecret = newSigningSecret();
let callsOf: ReturnType<typeof watchToolCalls>;
beforeAll(async () => {
  callsOf = watchToolCalls(app.context);
  for (const id of [...toolIds, otherId]) secrets.set(id, await makeSecret(app, id));
});

/** Two new advisers who both have this tool and the other one. */
async function launcherFor(toolId: string): Promise<Launcher> {
  const people = [
    await app.signedIn({ firstName: 'Isla', lastName: 'Marchetti' }),
    await app.signedIn({ firstName: 'Tobias', lastName: 'Okafor' }),
  ];
  const subscribed = people.flatMap(({ user }) => [toolId, otherId].map((id) => ({ userId: user.id, toolId: id })));
  await app.context.db
    .insert(toolSubscriptions)
    .values(subscribed.map((one) => ({ ...one, status: 'active' as const })));
  const launch = async (who: number, id = toolId) =>
    (await people[who]!.agent.post('/api/auth/token').send({ toolId: id }).expect(200)).body.token as string;
  const since = Date.now();
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
    pollMs: 20,
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

const wrong = [...unreachable, ...tokens, ...openings, ...cookies, ...sessions, ...reports, ...eventTools];
const found = new Map<string, Finding[]>();

/** Examines them all, as many at once as there are tools to be. */
beforeAll(async () => {
  const waiting: [string, Case][] = [
    ...wrong.map(([what, tool, , , setting]): [string, Case] => [what, { tool, ...(setting && { setting }) }]),
    ...rightOnes.map(([how, tool, setting]): [string, Case] => [how, { tool, ...(setting && { setting }) }]),
  ];
  const work = async (toolId: string) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) found.set(next[0], await examined(next[1], toolId));
  };
  await Promise.all(toolIds.map(work));
});

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
  it.each(rightOnes)('passes the check: %s', (how) => {
    expect(faults(how)).toEqual([]);
  });
});
