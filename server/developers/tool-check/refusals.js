// @ts-check
import { randomBytes } from 'node:crypto';
import { linksOf, marksIn, share } from './page.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./browser.js').Visit} Visit
 */

const elsewhere = 'elsewhere.invalid';
const names =
  'next redirect redirect_uri redirect_url return return_to returnTo return_url returnUrl url to goto dest destination continue target callback';

/** Every parameter in which tools look for where to go next. @param {string} to */
const chosen = (to) => Object.fromEntries(names.split(' ').map((name) => [name, to]));

/** @param {Visit} visit */
const wentElsewhere = ({ hops }) =>
  hops.some(({ to }) => to !== null && URL.canParse(to) && new URL(to).hostname === elsewhere);

/** Visits that must open nothing. @param {Exam} exam @param {Visit} bare @param {import('./exam.js').Session} session */
export async function examineRefusals(exam, bare, { token, visit: opened }) {
  const { launcher } = exam;
  exam.say('none', bare.fault ? `A visit without a token: ${bare.fault}.` : await openToAll(exam));
  exam.say('used', await exam.refusalOf(exam.link(token), 'A used link'));

  const plain = [...new Set([...exam.places, exam.target.url, exam.link(token)])];
  const steps = [...new Set(opened.hops.map(({ url }) => url.split('#')[0] ?? url))];
  let fault = null;
  for (const step of steps.filter((url) => !plain.includes(url)))
    fault ??= await exam.refusalOf(step, `The address ${new URL(step).pathname} of the launch, in another browser`);
  exam.say('steps', fault);

  const made = {
    'A made-up token': randomBytes(32).toString('base64url'),
    'An empty token': '',
    'A very long token': 'x'.repeat(600),
  };
  let opens = null;
  for (const [what, value] of Object.entries(made)) opens ??= await exam.refusalOf(exam.link(value), what);
  const unmarked = 'A made-up token, asked without the check’s name in the user agent';
  opens ??= await exam.refusalOf(exam.link(randomBytes(32).toString('base64url')), unmarked, usualBrowser);
  exam.say('madeUp', opens);

  const probe = `"'><b id=${randomBytes(4).toString('hex')}>`;
  const shown = (await exam.browser().visit(exam.link(probe), { stay: exam.origins })).last;
  exam.say(
    'markup',
    shown?.body.includes(probe) &&
      /html|^$/.test(shown.headers['content-type'] ?? '') &&
      'The refused page writes the token as it came: a stranger’s link runs scripts in the adviser’s session.',
  );
  await examineForeign(exam);
  const expired = await launcher.expiredToken?.();
  if (expired) exam.say('expired', await exam.refusalOf(exam.link(expired), 'An expired token'));
  else exam.unknown('expired', 'No expired token could be had here.');
}

/** Whether a visitor without a session sees what the session shows; says how. @param {Exam} exam */
async function openToAll(exam) {
  for (const { open } of exam.pages) {
    const [seen] = await exam.view(exam.browser());
    if (!open || !seen) continue;
    if (exam.launcher.advisers.some((adviser) => marksIn(seen.body, adviser).some((mark) => exam.marks.includes(mark))))
      return 'The page shows an adviser to a visitor without a session.';
    if (seen.status < 400 && share(exam.words(seen.body), exam.words(open.body)) >= 0.8)
      return 'A visitor without a session gets the same page as the adviser, only without the name.';
  }
  const [adviser] = exam.launcher.advisers;
  const headers = adviser && claims(adviser);
  for (const place of headers ? exam.places : []) {
    const { last } = await exam.browser().visit(place, { stay: exam.origins, headers });
    if (last && exam.marksOf(last.body, 0).length > 0)
      return 'A visitor whose header names the adviser (such as X-Forwarded-Email) is let in: believe no header that a proxy of yours has not set.';
  }
  return null;
}

/** @param {Exam} exam */
async function examineForeign(exam) {
  const token = await exam.launcher.otherToolsToken?.();
  if (!token) return exam.unknown('foreign', 'No token of another tool could be had here.');
  const fault = await exam.refusalOf(exam.link(token), 'Another tool’s token');
  const spent = exam.launcher.isUnused && !(await exam.launcher.isUnused(token, true));
  exam.say(
    'foreign',
    spent ? 'It was exchanged with the other tool’s secret: use one tool’s id and secret at one address.' : fault,
  );
}

const usualBrowser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** What proxies tell the tool behind them, and must take away where a visitor says it. @param {import('./page.js').Adviser} adviser */
const claims = ({ email, sub = email }) => ({
  'x-forwarded-email': email,
  'x-forwarded-user': sub,
  'x-auth-request-email': email,
  'x-auth-request-user': sub,
  'x-remote-user': email,
  'remote-user': email,
  oidc_claim_email: email,
  oidc_claim_sub: sub,
});

const usualPaths = 'login signin sign-in logout signout auth sso redirect go out'.split(' ');

/** Addresses of the tool that may lead on: those that its pages and redirects name, and the usual ones. @param {Exam} exam @param {Visit[]} visits */
function gates(exam, visits) {
  const { origin } = new URL(exam.target.url);
  const named = visits.flatMap(({ hops }) => hops.flatMap(({ url, body }) => [url, ...linksOf(body, url)]));
  const usual = usualPaths.map((path) => `${origin}/${path}`);
  const own = [...named, ...usual].filter((url) => exam.origins.has(new URL(url).origin));
  return [...new Set(own.map((url) => new URL(url).origin + new URL(url).pathname))].slice(0, 16);
}

/** Whether a stranger's link sends the adviser to the stranger. @param {Exam} exam @param {import('./exam.js').Session} session */
export async function examineRedirects(exam, session) {
  const strange = [`https://${elsewhere}/`, `//${elsewhere}/`];
  const held = session.browser.cookies;
  /** @type {Visit[]} */
  const visits = [];
  /** @param {string} address @param {import('./browser.js').Browser} browser */
  const follow = async (address, browser) => {
    const visit = await browser.visit(address, { stay: exam.origins });
    exam.watch(visit, new URL(address).searchParams.get('auth_token'));
    visits.push(visit);
    return !visit.fault;
  };
  for (const [token, cookies] of /** @type {const} */ ([['made-up'], [null], [null, held]]))
    for (const to of strange)
      if (!(await follow(exam.link(token, chosen(to)), exam.browser([...(cookies ?? [])])))) break;
  for (const to of strange) visits.push(await exam.browser().visit(exam.link(await exam.launch(0), chosen(to))));
  const { origin } = new URL(exam.target.url);
  for (const path of [`//${elsewhere}/`, `//${elsewhere}`]) await follow(origin + path, exam.browser());
  for (const gate of gates(exam, [...visits, session.visit]))
    for (const to of strange) {
      const address = new URL(gate);
      for (const [name, value] of Object.entries(chosen(to))) address.searchParams.set(name, value);
      if (!(await follow(address.href, exam.browser()))) break;
    }
  exam.say(
    'redirect',
    visits.some(wentElsewhere) &&
      'A parameter in the address (such as next or redirect), or a path that begins with two slashes, sent the browser to another site: go to addresses of your own only.',
  );
}
