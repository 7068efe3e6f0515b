// @ts-check
import { signed } from './events.js';

/**
 * @typedef {import('./exam.js').Launcher} Launcher
 * @typedef {{ email: string, password: string }} Account
 * @typedef {{ id: string, secret: string }} Tool
 * @typedef {{ accounts: Account[], tool: { id: string, secret?: string, signingSecret?: string, eventsUrl?: string | null }, other?: Tool }} Settings
 */

/** @param {string} base */
function caller(base) {
  /** @type {Map<string, string>} */
  const cookies = new Map();
  /** @param {string} method @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] */
  return async function call(method, path, body, headers = {}) {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(new URL(path, base), {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((/** @type {Error} */ error) => {
      throw new Error(
        `${base} does not answer (${/** @type {Error | undefined} */ (error.cause)?.message ?? error.message})`,
      );
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value.join('='));
    }
    const text = await answer.text();
    /** @type {any} */
    const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {};
    return { status: answer.status, body: json };
  };
}

/** @param {Awaited<ReturnType<ReturnType<typeof caller>>>} answer @param {string} what */
function must({ status, body }, what) {
  if (status >= 400) throw new Error(`${what}: ${body.message ?? `answered ${status}`}`);
  return body;
}

/** An adviser's browser at Adviserly. @param {string} base @param {Account} account */
async function signIn(base, { email, password }) {
  const call = caller(base);
  const user = must(await call('POST', '/api/login', { email, password }), `Signing in as ${email}`);
  if (user.email === undefined)
    throw new Error(`Signing in as ${email} takes a second step; use an account without one.`);
  /** @param {string} toolId */
  const launch = async (toolId) => {
    let answer = await call('POST', '/api/auth/token', { toolId });
    if (answer.body.code === 'subscription_required') {
      await call('POST', '/api/create-subscription', { toolId });
      answer = await call('POST', '/api/auth/token', { toolId });
    }
    return String(must(answer, `Launching ${toolId} as ${email}`).token);
  };
  const adviser = {
    email: String(user.email),
    name: `${user.firstName} ${user.lastName}`,
    given_name: String(user.firstName),
    sub: String(user.id),
  };
  return { call, launch, adviser };
}

/** Which of these secrets is among the words of a page. @param {string} secret @param {string | undefined} signingSecret */
const among = (secret, signingSecret) => async (/** @type {string[]} */ words) =>
  words.includes(secret)
    ? 'the secret'
    : words.some((word) => signingSecret?.endsWith(word.replace('whsec_', '')))
      ? 'the signing secret'
      : null;

/** @param {string} base @param {Tool} tool */
const unusedAt = (base, { id, secret }) => {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return async (/** @type {string} */ token) =>
    Boolean(
      must(
        await caller(base)('POST', '/api/tools/introspect', new URLSearchParams({ token }), { authorization }),
        'Introspection',
      ).active,
    );
};

/**
 * Launches as the test advisers of a tool that is not published, with the tool's own secret: where the tool is built, such as in CI.
 * @param {string} base @param {{ id: string, secret: string, signingSecret?: string }} tool @returns {Promise<Launcher>}
 */
export async function testLauncher(base, tool) {
  const authorization = `Basic ${Buffer.from(`${tool.id}:${tool.secret}`).toString('base64')}`;
  /** @param {number} adviser @param {boolean} [expired] */
  const ask = (adviser, expired = false) =>
    caller(base)('POST', '/api/tools/test-launches', { adviser, expired }, { authorization });
  const first = must(await ask(0), `Launching ${tool.id}`);
  const second = await ask(1);
  return {
    advisers: [first.adviser, ...(second.status < 400 ? [second.body.adviser] : [])],
    toolId: tool.id,
    launch: async (which) => String(must(await ask(which), `Launching ${tool.id}`).token),
    expiredToken: async () => String(must(await ask(0, true), `Launching ${tool.id}`).token),
    isUnused: unusedAt(base, tool),
    secretAmong: among(tool.secret, tool.signingSecret),
    ...(tool.signingSecret && { sign: async (message) => signed(String(tool.signingSecret), message) }),
  };
}

/**
 * Launches as people with accounts, in any environment. What it can't know without the tool's secret is left out.
 * @param {string} base @param {Settings} settings @returns {Promise<Launcher>}
 */
export async function accountLauncher(base, { accounts, tool, other }) {
  /** @type {Awaited<ReturnType<typeof signIn>>[]} */
  const people = [];
  for (const account of accounts.slice(0, 2)) people.push(await signIn(base, account));
  const [first] = people;
  if (!first) throw new Error('There is no account to launch as.');
  const before = must(await first.call('GET', '/api/user/usage'), 'Reading the sessions').map(
    (/** @type {any} */ one) => one.id,
  );
  /** @param {string} token @param {boolean} [foreign] */
  const isUnused = (token, foreign) => {
    const { id, secret = '' } = (foreign ? other : tool) ?? tool;
    return unusedAt(base, { id, secret })(token);
  };
  return {
    advisers: people.map(({ adviser }) => adviser),
    toolId: tool.id,
    ...(tool.signingSecret && { sign: async (message) => signed(String(tool.signingSecret), message) }),
    launch: (which) => /** @type {typeof first} */ (people[which]).launch(tool.id),
    ...(tool.secret && { isUnused }),
    ...(tool.secret && { secretAmong: among(tool.secret, tool.signingSecret) }),
    ...(other && { otherToolsToken: () => first.launch(other.id) }),
    newestSession: async () => {
      const { recentAnalytics } = must(await first.call('GET', '/api/analytics/dashboard'), 'Reading the sessions');
      const mine = recentAnalytics.filter(
        (/** @type {any} */ one) => one.toolId === tool.id && !before.includes(one.id),
      );
      const reported = mine.find((/** @type {any} */ one) => one.sessionDuration !== undefined);
      return mine.length > 0 ? { id: String((reported ?? mine[0]).id), reported: reported !== undefined } : null;
    },
  };
}

/**
 * The same beside a development server, which has people, secrets, old tokens and a log of calls.
 * @param {string} base @param {string} toolId @returns {Promise<Launcher & { eventsUrl?: string } | null>} null where there is none
 */
export async function developmentLauncher(base, toolId) {
  const call = caller(base);
  const answer = await call('POST', '/dev/tool-check', { tool: toolId });
  if (answer.status === 404 && answer.body.code !== 'tool_not_found') return null;
  const settings = must(answer, 'A development server');
  const launcher = await accountLauncher(base, settings);
  const since = Date.now();
  return {
    ...launcher,
    ...(settings.tool.eventsUrl && { eventsUrl: String(settings.tool.eventsUrl) }),
    expiredToken: async () => {
      const token = await launcher.launch(0);
      must(await call('POST', '/dev/tool-check/expire', { token }), 'Making an expired token');
      return token;
    },
    calls: async () =>
      must(await call('GET', `/dev/tool-calls.json?tool=${encodeURIComponent(toolId)}`), 'Reading the calls').filter(
        (/** @type {import('./exam.js').Call} */ { at }) => at >= since,
      ),
  };
}
