import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { sentenceCase } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { refetchChangedBy } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { Skeleton } from '#client/ui/query-view.tsx';

const [ReminderSettingsDialog, prepareDialog] = lazyDialog(
  () => import('#client/features/subscriptions/reminder-settings-dialog.tsx'),
);

/** "By email and in the app, 7, 3 and 1 days before a renewal". */
export function remindersText({ emailReminders, inAppNotifications, reminderDays }: ReminderSettings): string {
  const channels = [emailReminders && 'by email', inAppNotifications && 'in the app'].filter(Boolean).join(' and ');
  if (!channels || reminderDays.length === 0) return "Off. You'll only hear of higher bills, and get receipts.";
  const last = reminderDays.at(-1);
  const days = reminderDays.length === 1 ? last : `${reminderDays.slice(0, -1).join(', ')} and ${last}`;
  const text = `${channels}, ${days} ${reminderDays.length === 1 && last === 1 ? 'day' : 'days'} before a renewal`;
  return sentenceCase(text);
}

export const RenewalReminders = () => {
  const { data, error, refetch } = useApiQuery(contract.reminders.settings);
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Renewal reminders" className="flex items-start gap-3 rounded border p-3">
      <BellRing aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <h3 className="text-sm font-medium">Renewal reminders</h3>
        <div className="text-xs text-muted">
          {data ? remindersText(data) : error ? 'They could not be loaded.' : <Skeleton className="mt-1 h-3 w-40" />}
        </div>
      </div>
      {error ? (
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label="Reminder settings"
          disabled={!data}
          onPointerEnter={prepareDialog}
          onClick={() => {
            // A mail's unsubscribe link may have changed them meanwhile.
            void refetchChangedBy(contract.reminders.unsubscribe);
            setOpen(true);
          }}
        >
          Settings
        </Button>
      )}
      {data && <ReminderSettingsDialog settings={data} open={open} onClose={() => setOpen(false)} />}
    </section>
  );
};
