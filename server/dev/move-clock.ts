import { day, hour, minute } from '#shared/rules/dates.ts';
import { runDueJobs, type WhileDaysPass } from '#server/jobs.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Sandbox } from './payments-sandbox/index.ts';
import { nextTrialEnd } from './queries.ts';

const units = { d: day, h: hour, m: minute } as const;
const longest = 400 * day;
/** Stripe finalises and charges a renewal's invoice an hour after the period ends. */
const renewalSettles = hour + minute;

const advanceSentence = 'advance must be like "1d" or "6h", "next-renewal" or "trial-end"';

async function distance({ db, now: clock }: Context, advance: unknown, sandbox: Sandbox): Promise<number> {
  const now = clock();
  const counted = typeof advance === 'string' ? /^(\d{1,3})([dhm])$/.exec(advance) : null;
  if (counted) {
    const ms = Number(counted[1]) * units[counted[2] as keyof typeof units];
    if (ms > 0 && ms <= longest) return ms;
  }
  if (advance === 'next-renewal' || advance === 'trial-end') {
    const target = advance === 'next-renewal' ? await sandbox.nextRenewal() : await nextTrialEnd(db, now);
    if (!target) throw fieldError('advance', advance === 'trial-end' ? 'No trial is running.' : 'Nothing renews.');
    return Math.max(0, target.getTime() - now.getTime()) + renewalSettles;
  }
  throw fieldError('advance', advanceSentence);
}

/** The sandbox does what is due now, and the product works through the webhooks. */
export async function settlePayments(context: Context, sandbox: Sandbox): Promise<void> {
  await sandbox.tick();
  await context.queue.drain();
}

/** Does everything that is due at the current business time: the sandbox's part, the webhooks, and our jobs. */
export async function settle(context: Context, sandbox: Sandbox, days?: WhileDaysPass): Promise<void> {
  await settlePayments(context, sandbox);
  await runDueJobs(context, undefined, days);
  await sandbox.deliverPending();
  await context.queue.drain();
}

/**
 * Lets business time pass. It stops wherever something falls due in the sandbox, so that the product reacts to it at
 * that time and not later, and once a day for our jobs.
 */
export async function liveThrough(context: Context, clock: Clock, sandbox: Sandbox, ms: number): Promise<void> {
  const end = clock.now().getTime() + ms;
  let jobsAt = clock.now().getTime() + day;
  for (let now = clock.now().getTime(); now < end; now = clock.now().getTime()) {
    const due = (await sandbox.nextDue())?.getTime() ?? end;
    const stop = Math.min(end, jobsAt, Math.max(due, now));
    if (stop > now) await clock.advance(stop - now);
    if (stop < jobsAt && stop < end) await settlePayments(context, sandbox);
    else {
      const atTheEnd = stop === end;
      await settle(context, sandbox, { atTheEnd, beforeBills: atTheEnd || due - stop <= day + hour });
      jobsAt = clock.now().getTime() + day;
    }
  }
}

/** Moves the product's and the sandbox's time together; resolves once everything that fell due on the way is done. */
export async function moveClock(
  context: Context,
  clock: Clock,
  sandbox: Sandbox | null,
  advance: unknown,
): Promise<Date> {
  if (!sandbox) throw new AppError('clock_fixed');
  await liveThrough(context, clock, sandbox, await distance(context, advance, sandbox));
  return clock.now();
}
