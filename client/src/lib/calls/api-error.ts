import type { ErrorBody, ErrorCode } from '#shared/api/errors.ts';

/** `network`: no answer came. `cookies`: the browser refuses them. `unreadable`: not the contract's answer, such as a proxy's HTML page. */
type ClientErrorCode = ErrorCode | 'network' | 'cookies' | 'unreadable';

type Details = {
  status: number;
  code: ClientErrorCode;
  sentence: string;
  fields?: Record<string, string> | undefined;
  requestId?: string | undefined;
  quote?: unknown;
};

/** What every failed call throws. `message` is `STATUS: body`; screens show `sentence`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ClientErrorCode;
  readonly sentence: string;
  readonly fields: Record<string, string>;
  readonly requestId: string | undefined;
  /** What is due now, where a press was refused because it has changed. */
  readonly quote: unknown;

  constructor(message: string, { status, code, sentence, fields, requestId, quote }: Details) {
    super(message);
    this.status = status;
    this.code = code;
    this.sentence = sentence;
    this.fields = fields ?? {};
    this.requestId = requestId;
    this.quote = quote;
  }
}

const silent = "The service isn't responding. Please check your connection and try again.";
export const somethingWentWrong = 'Something went wrong. Please try again.';

export const networkError = () => new ApiError(silent, { status: 0, code: 'network', sentence: silent });

const noCookies =
  'Your browser blocks our cookies, so you can’t stay signed in. Please allow cookies for this site, then try again.';
export const cookiesRefused = () => new ApiError(noCookies, { status: 0, code: 'cookies', sentence: noCookies });

export const unreadableError = (status: number) => {
  const sentence = 'The answer could not be read. Please reload the page and try again.';
  return new ApiError(`${status}: ${sentence}`, { status, code: 'unreadable', sentence });
};

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** The body may be the contract's JSON, or whatever a proxy sent. */
export const errorOfAnswer = (status: number, statusText: string, text: string) => {
  const message = `${status}: ${text || statusText}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (!isErrorBody(body)) {
    const sentence = [502, 503, 504].includes(status) ? silent : somethingWentWrong;
    return new ApiError(message, { status, code: 'unreadable', sentence });
  }
  return new ApiError(message, {
    status,
    code: body.code,
    sentence: body.message,
    fields: body.fields,
    requestId: body.requestId,
    quote: body.quote,
  });
};

/** The sentence for what was thrown, the server's or that on cookies, else `fallback`. */
export const sentenceOf = (error: unknown, fallback = somethingWentWrong) =>
  error instanceof ApiError && error.code !== 'network' && error.code !== 'unreadable' ? error.sentence : fallback;

/** The sentence for a refusal (4xx), else `fallback`. */
export const refusalOr = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.sentence : fallback;
