import { addressOf, type AddressParts } from '#shared/api/address.ts';
import type { Endpoint, Reply } from '#shared/api/endpoint.ts';
import { errorOfAnswer, networkError, unreadableError } from '#client/lib/calls/api-error.ts';
import { dropOwnAnswers, takeOwnAnswer } from '#client/lib/calls/own-answers.ts';
import { recordBusinessDate } from '#client/lib/words/business-time.ts';
import { createEvent } from '#client/lib/session/store.ts';

const patienceMs = 30_000;

type Parts = AddressParts & { body?: unknown };
export type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** Made by the page itself, not by a person: does not extend the session. */
  background?: boolean;
  /** Changes nothing on screen, so `onWritten` isn't told: a refetch now could meet the end of the session that the next call replaces. */
  silent?: boolean;
};

/** The person whose page this is. Each call names them, and is refused once the browser is signed in as somebody else. */
let madeFor: string | undefined;
export const makeRequestsFor = (userId: string | undefined) => {
  madeFor = userId;
};
export const shownPerson = () => madeFor;

const otherAccount = createEvent();
export const onOtherAccount = otherAccount.on;

/** Every 401 that means "signed out"; a wrong password has another code. */
const unauthorized = createEvent();
export const onUnauthorized = unauthorized.on;

/** Every successful write that isn't `silent`. */
const written = createEvent();
export const onWritten = written.on;

type Call<R> = Pick<Endpoint, 'method' | 'path'> & { read: (answer: unknown) => R };

/** Writes whose answer is still to come, perhaps with a new session. */
const underWay = new Set<Promise<unknown>>();

/** While somebody signs out, reads wait: they could only be answered "signed out". */
let held: Promise<void> | null = null;

/** Returns a function that lets the waiting reads go ahead, unless they have been aborted by then. */
export const holdQuestions = () => {
  let letGo = () => {};
  held = new Promise((resolve) => (letGo = resolve));
  return () => {
    held = null;
    letGo();
  };
};

type Answered = { answer: Response; text: string };

const ask = async (call: Call<unknown>, parts: Parts, options: RequestOptions): Promise<Answered> => {
  const patience = AbortSignal.timeout(patienceMs);
  const init: RequestInit = {
    method: call.method,
    credentials: 'include',
    signal: options.signal ? AbortSignal.any([options.signal, patience]) : patience,
    headers: {
      ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.background && { 'x-background': '1' }),
      ...(madeFor && { 'x-made-for': madeFor }),
    },
    ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
  };
  const sent = fetch(addressOf(call, parts), init);
  if (call.method !== 'GET') underWay.add(sent);
  try {
    const answer = await sent;
    return { answer, text: await answer.text() };
  } catch (fault) {
    if (options.signal?.aborted) throw fault;
    throw networkError();
  } finally {
    underWay.delete(sent);
  }
};

const isSignedOut = ({ answer, text }: Answered) =>
  answer.status === 401 && errorOfAnswer(answer.status, answer.statusText, text).code === 'unauthorized';

/** Sends a call without a schema: zod is a fifth of the app's JavaScript, and visitors' pages do not load it. */
export const send = async <R>(call: Call<R>, args?: unknown, options: RequestOptions = {}): Promise<R> => {
  const parts = (args ?? {}) as Parts;
  if (call.method !== 'GET') dropOwnAnswers();
  else {
    const own = takeOwnAnswer(addressOf(call, parts));
    try {
      if (own !== undefined) return call.read(own);
    } catch {
      // It can't be read: the server is asked.
    }
    if (held) {
      await held;
      options.signal?.throwIfAborted();
    }
  }
  let answered = await ask(call, parts, options);
  // Another call, perhaps another tab's, may have replaced the session meanwhile; a call that met the end of the old one is sent again.
  if (madeFor && isSignedOut(answered)) {
    await Promise.allSettled(underWay);
    answered = await ask(call, parts, options);
  }
  const { answer, text } = answered;
  recordBusinessDate(answer.headers.get('business-date'));
  if (!answer.ok) {
    const error = errorOfAnswer(answer.status, answer.statusText, text);
    if (error.code === 'unauthorized') unauthorized.fire();
    if (error.code === 'other_account') otherAccount.fire();
    throw error;
  }
  if (call.method !== 'GET' && !options.silent) written.fire();
  try {
    return call.read(JSON.parse(text));
  } catch {
    throw unreadableError(answer.status);
  }
};

/** Sends the call and parses the answer. Throws only ApiError, or the abort. */
export const request = <E extends Endpoint>({ method, path, response }: E, args: unknown, options?: RequestOptions) =>
  send({ method, path, read: (answer) => response.parse(answer) as Reply<E> }, args, options);

/** This page as the server has it now; null if it can't say. */
export const currentPage = async (): Promise<string | null> => {
  try {
    const answer = await fetch(window.location.pathname, { cache: 'no-store' });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
};

/** As `request`, but loads the endpoint first, so that a visitor's page can paint before the contract and zod have arrived. */
export const requestLater = async <E extends Endpoint>(load: () => Promise<E>, options?: RequestOptions) => {
  let endpoint: E;
  try {
    endpoint = await load();
  } catch {
    throw networkError();
  }
  return request(endpoint, undefined, options);
};
