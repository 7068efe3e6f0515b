import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  type Adviserly,
  type AdviserlyEvent,
  confirmErasure,
  endsSessions,
  exchange,
  type Launch,
  readEvent,
} from '#server/dev/sample-tool/adviserly.ts';

export type Session = { launch: Launch; token: string; key: string };
/** One request at a tool. */
export type Ask = {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  token: string | null;
  body: string;
  form: URLSearchParams;
};
/** What a tool is given when it is registered. */
export type Given = Adviserly & { signingSecret?: string };

/** A tool that does what it should. The others in the matrix each differ from it in one thing. */
export class RightTool {
  readonly sessions = new Map<string, Session>();
  origin = '';
  home = '/';
  /** What this tool was given, and what another tool of the same maker was given. */
  constructor(
    readonly us: Given,
    readonly them: Given,
  ) {}

  /** Everything that comes in. */
  answer(ask: Ask): unknown {
    if (ask.url.pathname === '/events') return this.takeEvent(ask);
    if (ask.token !== null) return this.arrive(ask, ask.token);
    const session = this.current(ask);
    if (ask.req.method === 'POST') return this.finish(ask, session);
    return session ? this.show(ask, session) : this.refuse(ask);
  }

  arrive(ask: Ask, token: string): unknown {
    return this.exchange(token).then((launch) => (launch ? this.enter(ask, launch) : this.refuse(ask)));
  }
  async enter(ask: Ask, launch: Launch): Promise<unknown> {
    const session = { launch, token: ask.token ?? '', key: this.key(launch, ask) };
    this.sessions.set(session.key, session);
    await this.opened(session, ask);
    ask.res.setHeader('set-cookie', this.cookie(session.key));
    return this.welcome(ask, session);
  }
  /** The first answer of a session. */
  welcome(ask: Ask, _session: Session): unknown {
    return redirect(ask, this.home);
  }
  exchange(token: string): Promise<Launch | null> {
    return exchange(this.us, token);
  }
  opened(_session: Session, _ask: Ask): unknown {
    return undefined;
  }

  key(_launch: Launch, _ask: Ask): string {
    return randomBytes(32).toString('base64url');
  }
  cookie(key: string): string | string[] {
    return `sid=${key}; Path=/; HttpOnly; SameSite=Lax`;
  }
  current(ask: Ask): Session | undefined {
    return this.sessions.get(cookieOf(ask) ?? '');
  }

  show({ res }: Ask, session: Session): unknown {
    res.setHeader('cache-control', 'no-store');
    return res.setHeader('content-type', 'text/html').end(this.page(session));
  }
  page({ launch }: Session): string {
    return `<!doctype html><h1>Hello ${escapeHtml(launch.name)}</h1><p>${launch.email}</p><p>Your notes of today</p>
      <form method="post" action="/finish"><input name="minutes" type="number" value="5"><button>Finish</button></form>`;
  }
  refuse({ res }: Ask): unknown {
    return res.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Please open this from Adviserly</h1>');
  }

  takeEvent(ask: Ask): unknown {
    const event = this.readEvent(ask);
    if (!event) return ask.res.writeHead(401).end();
    if (endsSessions(event)) this.end(event.data.sub, event);
    const id = event.data.erasure_id;
    const done = () => ask.res.writeHead(204).end();
    return id === undefined ? done() : confirmErasure(this.us, id).then(done);
  }
  /** The event, if it is one of Adviserly's. */
  readEvent({ req, body }: Ask): AdviserlyEvent | null {
    return readEvent(this.us.signingSecret ?? '', req.headers, Buffer.from(body));
  }
  end(sub: string, _event: AdviserlyEvent): void {
    for (const [key, { launch }] of this.sessions) if (launch.sub === sub) this.sessions.delete(key);
  }

  finish(ask: Ask, session: Session | undefined): unknown {
    if (!session) return this.refuse(ask);
    return this.report(session).then((answer) => {
      if (!mayGoOn(answer)) this.close(ask, session);
      return this.finished(ask, session);
    });
  }
  /** Ends the session and takes its cookies away. */
  close({ res }: Ask, session: Session): void {
    for (const [key, one] of this.sessions) if (one === session) this.sessions.delete(key);
    const gone = [this.cookie(session.key)].flat().map((line) => `${line.replace(/=[^;]*/, '=')}; Max-Age=0`);
    res.setHeader('set-cookie', gone);
  }
  finished(ask: Ask, _session: Session): unknown {
    return redirect(ask, this.home);
  }
  report({ launch: { session_id } }: Session): Promise<unknown> {
    return this.send([{ event_id: `${session_id}:done`, session_id, duration_seconds: 300, actions_performed: 2 }]);
  }
  /** Sends events as the guide says, whatever they are. */
  send(events: unknown, type?: string, as = this.us): Promise<unknown> {
    return this.post('/api/tools/usage', typeof events === 'string' ? events : JSON.stringify({ events }), type, as);
  }
  post(path: string, body: string, type = 'application/json', { apiUrl, toolId, secret } = this.us): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`${toolId}:${secret}`).toString('base64')}`;
    const headers = { authorization, 'content-type': type };
    return fetch(apiUrl + path, { method: 'POST', headers, body }).then((answer) => answer.json());
  }
}

/** Whether the answer to reports lets their sessions go on. */
const mayGoOn = (answer: unknown) =>
  ((answer ?? {}) as { events?: { access?: boolean }[] }).events?.every(({ access }) => access !== false) ?? true;

/** What another tool does differently. */
export type Otherwise = Partial<RightTool> & ThisType<RightTool>;

/** Text as it stands in HTML. */
export const escapeHtml = (text = '') => text.replaceAll(/[<>&"']/g, (letter) => `&#${letter.codePointAt(0)};`);

export const redirect = ({ res }: Ask, location: string, status = 303) => res.writeHead(status, { location }).end();
export const html = ({ res }: Ask, body: string, status = 200) =>
  res.writeHead(status, { 'content-type': 'text/html' }).end(body);
export const cookieOf = ({ req }: Ask, name = 'sid') =>
  (req.headers.cookie ?? '')
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
/** Never answers. */
export const hang = () => undefined;

async function bodyOf(req: IncomingMessage) {
  const parts: Buffer[] = [];
  for await (const part of req as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

export type Started = { url: string; close(): Promise<void> };
export type Setting = { tls?: { key: string; cert: string }; host?: string };

/** Starts a tool on a port of its own. */
export async function startTool(tool: RightTool, { tls, host = '127.0.0.1' }: Setting = {}): Promise<Started> {
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const handle = async () => {
      const url = new URL(req.url ?? '/', 'http://tool');
      const body = req.method === 'POST' ? await bodyOf(req) : '';
      const token = url.searchParams.get('auth_token');
      await tool.answer({ req, res, url, body, form: new URLSearchParams(body), token });
    };
    handle().catch(() => (res.headersSent ? res.destroy() : res.writeHead(500).end('<h1>Fault</h1>')));
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  tool.origin = `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tool.origin}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const right = RightTool.prototype;
