import { parseArgs } from 'node:util';
import { exchange } from './sample-tool/adviserly.ts';
import { checkTool, visit, type Adviserly } from './tool-check.ts';

const usage = `Usage: npm run tools:check -- URL [--tool TOOL] [--adviserly http://localhost:3000] [--wait SECONDS] [--finish PATH]

Launches at the tool at URL from a running development server (npm run dev) and says what it does wrong.
  --tool    the tool id its server uses; file-note-ai unless told. Its secret is at ADVISERLY/dev/tools.json
  --wait    how long to wait for a usage report; 60 unless told
  --finish  a path of the tool that ends the session when posted to, such as the sample tool's form`;

type Json = Record<string, unknown>;

/** A demo adviser who pays nothing, with the tool in their account. */
async function signIn(base: string, toolId: string): Promise<Adviserly> {
  const cookies: string[] = [];
  const call = async (method: string, path: string, body?: Json) => {
    const answer = await fetch(new URL(path, base), {
      method,
      headers: { cookie: cookies.join('; '), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) cookies.push(line.split(';')[0] ?? '');
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const must = async (...args: Parameters<typeof call>) => {
    const { status, body } = await call(...args);
    if (status >= 400) throw new Error(`${args[1]}: ${String(body['message'])}`);
    return body;
  };
  const accounts = (await must('GET', '/dev/accounts.json')) as unknown as { email: string; password: string }[];
  const demo = accounts.find(({ email }) => email.startsWith('free@'));
  const tools = (await must('GET', '/dev/tools.json')) as unknown as { id: string; secret: string }[];
  const secret = tools.find(({ id }) => id === toolId)?.secret;
  if (!demo || !secret) throw new Error(`${base} has no demo account, or no tool ${toolId}`);
  const user = await must('POST', '/api/login', { email: demo.email, password: demo.password });
  const subscribed = await call('POST', '/api/create-subscription', { toolId });
  if (subscribed.status >= 400 && subscribed.body['code'] !== 'already_subscribed')
    throw new Error(String(subscribed.body['message']));
  return {
    adviser: { email: demo.email, name: `${String(user['firstName'])} ${String(user['lastName'])}` },
    launch: async () => String((await must('POST', '/api/auth/token', { toolId }))['token']),
    isUnused: async (token) => (await exchange({ apiUrl: base, toolId, secret }, token)) !== null,
    newestSession: async () => {
      const { recentAnalytics } = await must('GET', '/api/analytics/dashboard');
      const [newest] = recentAnalytics as { id: string; sessionDuration?: number }[];
      return newest ? { id: newest.id, reported: newest.sessionDuration !== undefined } : null;
    },
  };
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tool: { type: 'string', default: 'file-note-ai' },
      adviserly: { type: 'string', default: 'http://localhost:3000' },
      wait: { type: 'string', default: '60' },
      finish: { type: 'string' },
    },
  });
  const [toolUrl] = positionals;
  const wait = Number(values.wait);
  if (!toolUrl || !URL.canParse(toolUrl) || positionals.length > 1 || !(wait >= 0)) throw new Error(usage);
  const adviserly = await signIn(values.adviserly, values.tool);
  const findings = await checkTool(adviserly, {
    toolUrl,
    usageWaitMs: wait * 1000,
    onOpen: async ({ url, cookies }) => {
      if (values.finish)
        await visit(new URL(values.finish, url).href, cookies, new URLSearchParams({ minutes: '5', actions: '2' }));
      else console.log(`The session is open. Waiting ${wait} seconds for its usage report…`);
    },
  });
  for (const { check, passed, advice } of findings)
    console.log(passed ? `ok    ${check}` : `FAIL  ${check}\n      ${advice}`);
  const failed = findings.filter(({ passed }) => !passed).length;
  console.log(
    failed === 0 ? '\nThe tool does what Adviserly expects.' : `\n${failed} of ${findings.length} checks failed.`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
