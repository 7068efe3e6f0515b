import { errors, type ErrorCode, tryAgainIn } from '#shared/api/errors.ts';
import type { Quote } from '#shared/api/subscriptions.ts';

/** A refusal. Its code decides the status and sentence that the caller gets (shared/api/errors.ts). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What is due now, where a press was refused because that has changed. */
  readonly quote: Quote | undefined;

  constructor(
    code: ErrorCode,
    options: { fields?: Record<string, string>; retryAfterSeconds?: number; quote?: Quote; cause?: unknown } = {},
  ) {
    const [status, sentence] = errors[code];
    const told =
      code === 'rate_limited' && options.retryAfterSeconds ? tryAgainIn(options.retryAfterSeconds) : sentence;
    super(Object.values(options.fields ?? {})[0] ?? told, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quote = options.quote;
  }
}

/** A fault in one field that only the server can find, such as a common password. */
export const fieldError = (field: string, sentence: string) =>
  new AppError('invalid_input', { fields: { [field]: sentence } });

/** What was found; refused with this code where there is nothing. */
export async function orRefuse<Found>(asked: Promise<Found>, code: ErrorCode): Promise<NonNullable<Found>> {
  const found = await asked;
  if (!found) throw new AppError(code);
  return found;
}
