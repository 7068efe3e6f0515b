import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Adviserly, confirmErasure, endsSessions, exchange, type Launch, readEvent, report } from './adviserly.ts';
import { messagePage, pageHeaders, type Tool, toolPage, type Work } from './pages.ts';

type Session = { launch: Launch; done: Work | null; endsAt: number };

/** A working day. */
const longestMs = 8 * 3600_000;
const clock = () => performance.now();

/** Only the newest thousand, in memory, which will do for a sample. A real tool keeps its sessions with its other data. */
const keptSessions = 1000;

/** One tool: takes launches, shows the adviser who they are, and reports the session when it is finished. */
export function createSampleHandler(adviserly: Adviserly & { signingSecret: string }, tool: Tool) {
  const sessions = new Map<string, Session>();
  const cookieName = `sample-${tool.id}`;
  const page = `/${tool.id}`;

  function open(res: ServerResponse, launch: Launch): void {
    const id = randomBytes(32).toString('base64url');
    sessions.set(id, { launch, done: null, endsAt: clock() + longestMs });
    const [oldest] = sessions.keys();
    if (sessions.size > keptSessions && oldest !== undefined) sessions.delete(oldest);
    // A real tool, served over https, adds Secure.
    res.setHeader('set-cookie', `${cookieName}=${id}; Path=${page}; HttpOnly; SameSite=Lax`);
  }

  function current(req: IncomingMessage): Session | null {
    const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    const session = sessions.get(pairs.find(([name]) => name === cookieName)?.[1] ?? '');
    return session && session.endsAt > clock() ? session : null;
  }

  /** Sessions are all that this sample knows about anybody, so that a person is erased when theirs have ended. */
  async function takeEvent(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const event = readEvent(adviserly.signingSecret, req.headers, await readBody(req));
    res.statusCode = event ? 204 : 401;
    if (event && endsSessions(event))
      for (const [id, { launch }] of sessions) if (launch.sub === event.data.sub) sessions.delete(id);
    if (event?.data.erasure_id !== undefined) await confirmErasure(adviserly, event.data.erasure_id);
    res.end();
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method === 'POST' && req.url?.endsWith('/events')) return takeEvent(req, res);
    const authToken = new URL(req.url ?? '/', 'http://tool').searchParams.get('auth_token');
    if (req.method === 'GET' && authToken !== null) {
      const launch = await exchange(adviserly, authToken);
      if (!launch) return refuse(res, 'This link can’t be used', usedUp);
      open(res, launch);
      return redirect(res, page); // the token never stays in the address
    }
    const session = current(req);
    if (!session) return refuse(res, `${tool.name} is not open`, fromDashboard);
    if (req.method !== 'POST') return void res.end(toolPage(tool, session.launch, session.done, null));
    if ((req.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
      return refuse(res, 'Not from here', fromDashboard);
    const fault = await finish(session, new URLSearchParams(String(await readBody(req))));
    if (fault === null) return redirect(res, page);
    res.statusCode = 400;
    res.end(toolPage(tool, session.launch, null, fault));
  };

  /** One report per session, under one event id: a second click, or a retry after a failure, counts once. */
  async function finish(session: Session, form: URLSearchParams): Promise<string | null> {
    if (session.done) return null;
    const work = { minutes: wholeNumber(form.get('minutes')), actions: wholeNumber(form.get('actions')) };
    if (work.minutes === null || work.actions === null) return 'Please enter whole numbers.';
    const reference = (form.get('reference') ?? '').trim();
    const { refused, access } = await report(adviserly, {
      event_id: `${session.launch.session_id}:finished`,
      session_id: session.launch.session_id,
      duration_seconds: work.minutes * 60,
      actions_performed: work.actions,
      version: sampleVersion,
      purpose: session.launch.purpose ?? tool.purpose ?? 'other',
      ...(reference !== '' && { client_reference: reference }),
    });
    if (!access) session.endsAt = clock();
    if (refused === null) session.done = { minutes: work.minutes, actions: work.actions };
    return (
      refused && (refusals[refused] ?? (refused.includes(' ') ? refused : `The session was not accepted (${refused}).`))
    );
  }
}

/** Answers with the right headers, and says so if Adviserly doesn't answer. */
export const listener =
  (
    answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
    onError: (error: unknown) => void,
  ): RequestListener =>
  (req, res) => {
    res.setHeaders(pageHeaders);
    answer(req, res).catch((error: unknown) => {
      onError(error);
      if (!res.headersSent) res.statusCode = 502;
      res.end(messagePage('Adviserly did not answer', 'Nothing was lost. Please reload this page to try again.'));
    });
  };

/** For the record of AI use. */
export const sampleVersion = '2026.11';

const usedUp = 'It works once, within five minutes. Please open the tool again from your Adviserly dashboard.';
const fromDashboard = 'Please open it from your Adviserly dashboard.';
const refusals: Record<string, string> = {
  out_of_range: 'These figures are more than a session can have.',
  too_late: 'This session ended more than two days ago, so it is no longer counted.',
};

const wholeNumber = (text: string | null) => (/^\d{1,7}$/.test(text ?? '') ? Number(text) : null);

function refuse(res: ServerResponse, title: string, sentence: string): void {
  res.statusCode = 403;
  res.end(messagePage(title, sentence));
}

function redirect(res: ServerResponse, to: string): void {
  res.statusCode = 303;
  res.setHeader('location', to);
  res.end();
}

/** The bytes as they came: a signature is of them, and a part of the body may end within a character. */
async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > 10_000) break;
  }
  return Buffer.concat(parts);
}
