#!/usr/bin/env node
// @ts-check
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { accountLauncher, developmentLauncher, testLauncher } from './account-launcher.js';
import { examine } from './examine.js';

const usage = `Usage: adviserly-tool-check URL [--tool TOOL] [--adviserly URL] [--wait SECONDS] [--page PATH] [--finish PATH] [--events URL]

Launches at the tool at URL as an adviser, and says what it does wrong.
  --tool       the tool's id; file-note-ai unless told
  --adviserly  where Adviserly is; unless told APP_URL, else http://localhost: and PORT, else 3000, from the environment or .env
  --wait       seconds to wait for a usage report; 60 unless told
  --page       a path of the tool that shows the adviser, where the first page shows nobody (what a script fetches)
  --finish     a path of the tool that ends the session when posted to, such as the sample tool's form
  --events     where the tool's server takes events; beside a development server where they go
  --patience   seconds to wait for any answer of the tool; 10 unless told
  --ca         a file of certificates to trust besides, such as mkcert's

For a tool that is not published, give it TOOL_SECRET in the environment, and TOOL_SIGNING_SECRET for events: it launches as the tool's test
advisers. Beside a development server, a published tool needs nothing more. Anywhere else give it accounts that have the tool:
ADVISERLY_EMAIL and ADVISERLY_PASSWORD, for a second adviser ADVISERLY_EMAIL_2 and ADVISERLY_PASSWORD_2. With TOOL_SECRET it then
sees whether a token was exchanged. With TOOL_SIGNING_SECRET it signs events that say that the first account's access has ended. It ends with 0 when nothing is wrong, 1 when something is, 2 when it could not run.`;

/** The environment, else a .env file beside us. @param {string} name */
function setting(name) {
  // oxlint-disable-next-line node/no-process-env
  const given = process.env[name];
  if (given) return given;
  try {
    return new RegExp(`^${name}=["']?([^"'\\n]*)`, 'm').exec(readFileSync('.env', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** @param {string} base @param {string} tool @returns {Promise<import('./exam.js').Launcher & { eventsUrl?: string }>} */
async function launcherFor(base, tool) {
  const names = ['ADVISERLY_EMAIL', 'ADVISERLY_PASSWORD', 'TOOL_SECRET', 'TOOL_SIGNING_SECRET'];
  const [email, password, secret, signingSecret] = names.map(setting);
  if (secret && !email) return testLauncher(base, { id: tool, secret, ...(signingSecret && { signingSecret }) });
  if (!email || !password) {
    const development = await developmentLauncher(base, tool);
    if (!development) throw new Error(`${base} is no development server: set ADVISERLY_EMAIL and ADVISERLY_PASSWORD.`);
    return development;
  }
  const second = { email: setting('ADVISERLY_EMAIL_2') ?? '', password: setting('ADVISERLY_PASSWORD_2') ?? '' };
  const accounts = [{ email, password }, ...(second.email ? [second] : [])];
  return accountLauncher(base, {
    accounts,
    tool: { id: tool, ...(secret && { secret }), ...(signingSecret && { signingSecret }) },
  });
}

const marks = { ok: 'ok     ', wrong: 'WRONG  ', unknown: 'unknown' };

try {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tool: text,
      adviserly: text,
      wait: text,
      page: text,
      finish: text,
      events: text,
      patience: text,
      ca: text,
    },
  });
  const [url = ''] = positionals;
  const [wait, patience] = [Number(values.wait ?? 60), Number(values.patience ?? 10)];
  if (!/^https?:/.test(url) || !URL.canParse(url) || positionals.length > 1 || !(wait >= 0) || !(patience > 0))
    throw new Error(usage);
  const base = values.adviserly ?? setting('APP_URL') ?? `http://localhost:${setting('PORT') ?? 3000}`;
  const launcher = await launcherFor(base, values.tool ?? 'file-note-ai');
  const events = values.events ?? launcher.eventsUrl;
  if (events !== undefined && !URL.canParse(events)) throw new Error(usage);
  const findings = await examine(
    {
      url,
      ...(values.page && { page: values.page }),
      ...(values.finish && { finish: values.finish }),
      ...(events && { events }),
    },
    launcher,
    ({ result, check, advice }) => console.log(`${marks[result]}  ${check}${advice ? `\n         ${advice}` : ''}`),
    {
      waitMs: wait * 1000,
      patienceMs: patience * 1000,
      ...(values.ca && { ca: readFileSync(values.ca, 'utf8') }),
      onOpen: () => console.log(`The session is open. ${wait} seconds are left for its usage report…`),
    },
  );
  /** @param {string} kind */
  const count = (kind) => findings.filter(({ result }) => result === kind).length;
  const open = count('unknown') === 0 ? '' : ` ${count('unknown')} could not be judged.`;
  console.log(
    count('wrong') === 0
      ? `\nNothing is wrong with what was examined.${open}`
      : `\n${count('wrong')} of ${findings.length} checks found something wrong.${open}`,
  );
  process.exitCode = count('wrong') === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
