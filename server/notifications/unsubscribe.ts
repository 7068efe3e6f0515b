import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { readerIn } from '#server/platform/stop-links.ts';
import { saveSettings } from './queries.ts';

/** `POST /api/unsubscribe`: no more reminder mails. Repeating it is fine; notices in the app stay as they were. */
export async function unsubscribe(context: Context, token: string | undefined): Promise<{ message: string }> {
  const userId = readerIn(context, 'unsubscribe', token);
  if (userId === null) throw new AppError('unsubscribe_invalid');
  await saveSettings(context.db, userId, { emailReminders: false });
  return { message: "You won't get any more reminder emails." };
}
