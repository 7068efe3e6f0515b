import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { Keys, Log } from '../options.ts';
import { claimDelivery, countLeased, markDelivered, postponeDelivery } from './queries.ts';

const ATTEMPT_MS = 10_000;
/** Longer than an attempt, so that a lease runs out only when its holder has died. */
const LEASE_SECONDS = 20;
const LOOK_EVERY_MS = 1000;
const LONGEST_PAUSE_SECONDS = 3600;

type Options = { webhookUrl: () => string; keys: Keys; realNow: () => Date; log: Log };

/** The signature header, made with real time: receivers refuse old ones. */
function signatureOf(payload: string, secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

export function createDeliveries(pool: pg.Pool, { webhookUrl, keys, realNow, log }: Options) {
  const stop = new AbortController();
  const stopped = () => stop.signal.aborted;
  let running: Promise<void> = Promise.resolve();
  /** A run that has not begun yet, so that it also posts what is due by now. */
  let next: Promise<void> | null = null;

  async function post(payload: string): Promise<boolean> {
    try {
      const response = await fetch(webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(payload, keys.webhook, realNow()),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stop.signal]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false; // nobody listens yet, or not any more: it is tried again
    }
  }

  async function deliverDue(): Promise<void> {
    while (!stopped()) {
      const delivery = await claimDelivery(pool, LEASE_SECONDS);
      if (!delivery) return;
      const { position, attempts, event } = delivery;
      const accepted = await post(JSON.stringify(event));
      if (accepted) await markDelivered(pool, position);
      else if (!stopped()) {
        await postponeDelivery(pool, position, Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS));
        log.debug({ eventId: event.id, attempts }, 'payments sandbox: webhook not accepted');
      }
    }
  }

  /** Waits for other processes on this database, which may be posting some of them. */
  async function othersDone(): Promise<void> {
    for (let waited = 0; waited < ATTEMPT_MS && !stopped() && (await countLeased(pool)) > 0; waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** Posts what is due, oldest first; resolves when each has been accepted or put off. */
  function deliverPending(): Promise<void> {
    next ??= running = running
      .then(() => {
        next = null;
        return deliverDue();
      })
      .catch((error: unknown) => {
        if (!stopped()) log.warn({ err: error }, 'payments sandbox: deliveries wait for the database');
      });
    return next;
  }

  const timer = setInterval(() => void deliverPending(), LOOK_EVERY_MS);
  timer.unref();

  return {
    deliverPending: async () => {
      await deliverPending();
      await othersDone();
    },
    /** After a change: does not wait. */
    kick: () => void deliverPending(),
    close: async () => {
      stop.abort();
      clearInterval(timer);
      await running;
    },
  };
}
