/** What the check needs of Adviserly: launches for one tool, and what that tool did with them. */
export type Adviserly = {
  /** A fresh launch token. */
  launch(): Promise<string>;
  /** Does the token still open the tool? Asking uses it up. */
  isUnused(token: string): Promise<boolean>;
  /** The adviser's newest session, and whether its use was reported. */
  newestSession(): Promise<{ id: string; reported: boolean } | null>;
  /** What a page shows only to the adviser it belongs to. */
  adviser: { email: string; name: string };
};

export type Finding = { check: string; passed: boolean; advice: string };

type Options = {
  /** Where the tool lives; launches open it with `auth_token` added. */
  toolUrl: string;
  /** How long to wait for a usage report, in milliseconds; while it runs, somebody may use the page. */
  usageWaitMs: number;
  /** Called when the session is open, with a way to send its form by itself. */
  onOpen?: (visit: Visit) => Promise<void>;
};

/** A browser's visit: where it ended, what it saw, and its cookies. */
export type Visit = { url: string; status: number; body: string; cookies: Map<string, string>; passed: string[] };

const patienceMs = 10_000;
const mostRedirects = 10;

/** Opens an address as a browser would, following redirects with the cookies it is given. */
export async function visit(
  address: string,
  cookies = new Map<string, string>(),
  body?: URLSearchParams,
): Promise<Visit> {
  const passed: string[] = [];
  let [url, form] = [address, body];
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      ...(form && { body: form }),
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(patienceMs),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name.trim(), value.join('='));
    }
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || !location)
      return { url, status: answer.status, body: await answer.text(), cookies, passed };
    passed.push(url);
    url = new URL(location, url).href;
    form = undefined;
  }
  throw new Error(`more than ${mostRedirects} redirects`);
}

const withToken = (toolUrl: string, token: string) => {
  const url = new URL(toolUrl);
  url.searchParams.set('auth_token', token);
  return url.href;
};

/** Launches at a developer's tool and says what it does wrong. */
export async function checkTool(adviserly: Adviserly, { toolUrl, usageWaitMs, onOpen }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (check: string, passed: boolean, advice: string) => void findings.push({ check, passed, advice });
  const shows = ({ body }: Visit) => body.includes(adviserly.adviser.email) || body.includes(adviserly.adviser.name);
  const before = (await adviserly.newestSession())?.id;

  const token = await adviserly.launch();
  const link = withToken(toolUrl, token);
  const opened = await visit(link).catch((error: unknown) => (error instanceof Error ? error : new Error('no answer')));
  if (opened instanceof Error) {
    say('The tool answers', false, `${toolUrl} could not be opened: ${opened.message}`);
    return findings;
  }
  say('The tool answers', opened.status < 400, `It answered ${opened.status} to a launch; 200 is expected.`);
  say(
    'The token is exchanged',
    !(await adviserly.isUnused(token)),
    'The token still worked after the launch: send it to POST /api/tools/introspect from your server when it arrives.',
  );
  say(
    'The token leaves the address',
    !opened.url.includes(token),
    'The page was shown with auth_token in its address: redirect (303) to an address without it after the exchange.',
  );
  say(
    'The token is in no page',
    !opened.body.includes(token),
    'The token stands in the page that was shown: never write it into HTML, scripts or links.',
  );
  const again = await visit(link);
  say(
    'A used link opens nothing',
    !shows(again),
    'The same link opened the adviser’s session a second time, in another browser: accept only what introspection calls active.',
  );
  const forged = await visit(withToken(toolUrl, 'made-up-token'));
  say(
    'A made-up token opens nothing, and is no fault',
    !shows(forged) && forged.status < 500,
    `It answered ${forged.status}: tell the adviser to open the tool again from the dashboard (400 to 403).`,
  );
  const bare = await visit(toolUrl);
  say(
    'Without a token nothing is shown of anybody',
    !shows(bare),
    'The page shows an adviser to a visitor without a session.',
  );

  await onOpen?.(opened);
  say(
    'Usage is reported',
    await reported(adviserly, before, usageWaitMs),
    `No usage report was accepted within ${Math.round(usageWaitMs / 1000)} seconds: send the session_id of the introspection to POST /api/tools/usage.`,
  );
  return findings;
}

async function reported(adviserly: Adviserly, before: string | undefined, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  for (;;) {
    const session = await adviserly.newestSession();
    if (session && session.id !== before && session.reported) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, waitMs)));
  }
}
