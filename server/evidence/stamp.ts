import type { Context } from '#server/platform/context.ts';
import { findUnstamped, insertStamp } from './queries.ts';
import { timeStampOf } from './time-stamp.ts';

export const stampJob = 'stamp-pack';

/** A job: has an authority vouch for a pack's head, so that nobody has to believe us when it was made. */
export async function stampPack({ db, env }: Context, packId: string): Promise<void> {
  const made = await findUnstamped(db, packId);
  if (!made || !env.timestampUrl) return;
  const { reply, authority, at } = await timeStampOf(env.timestampUrl, made.head);
  await insertStamp(db, { packId, reply, authority, stampedAt: at });
}
