import { expect, test } from 'vitest';
import { AppError } from './app-error.ts';
import { isPassing, toAppError } from './error-handler.ts';

/** As drizzle throws it: the driver's error is the cause. */
const fromDriver = (message: string, code?: string) =>
  new Error('Failed query: select 1', { cause: Object.assign(new Error(message), code && { code }) });

test.each([
  ['timeout exceeded when trying to connect', undefined],
  ['timeout expired', undefined],
  ['Connection terminated unexpectedly', undefined],
  ['Query read timeout', undefined],
  ['Client has encountered a connection error and is not queryable', undefined],
  ['Client was closed and is not queryable', undefined],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'],
  ['getaddrinfo EAI_AGAIN db.internal', 'EAI_AGAIN'],
  ['connect EHOSTUNREACH 10.0.0.5:5432', 'EHOSTUNREACH'],
  ['connect ENETUNREACH 10.0.0.5:5432', 'ENETUNREACH'],
  ['cannot execute INSERT in a read-only transaction', '25006'],
  ['terminating connection due to administrator command', '57P01'],
  ['the database system is starting up', '57P03'],
  ['sorry, too many clients already', '53300'],
  ['canceling statement due to statement timeout', '57014'],
  ['could not extend file "base/16384/16479": No space left on device', '53100'],
  ['could not extend file "base/16384/16479": File too large', 'XX000'],
])('the caller of %s hears of a passing fault: 503 with Retry-After', (message, code) => {
  expect(toAppError(fromDriver(message, code))).toMatchObject({ code: 'busy', status: 503, retryAfterSeconds: 2 });
});

test.each([
  ['invalid input syntax for type uuid', '22P02', 'malformed_request'],
  ['duplicate key value', '23505', 'conflict'],
  ['column "x" does not exist', '42703', 'internal'],
])('the caller of %s (%s) gets %s', (message, code, answer) => {
  expect(toAppError(fromDriver(message, code))).toMatchObject({ code: answer });
});

test.each([
  ['the database is away', fromDriver('Connection terminated unexpectedly'), true],
  ['Stripe is silent', new AppError('payment_provider_unavailable'), true],
  ['a refusal', new AppError('already_subscribed'), false],
  ['a bug', new TypeError('x is undefined'), false],
])('the client knows whether a later try may succeed: %s', (_what, error, passing) =>
  expect(isPassing(error)).toBe(passing),
);
