import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Button, FormError } from '#client/ui/elements.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';

const dayLabel = (days: number) => (days === 1 ? '1 day before' : `${days} days before`);

type FormProps = { settings: ReminderSettings; onClose: () => void };

const SettingsForm = ({ settings, onClose }: FormProps) => {
  const [changes, setChanges] = useState<Partial<ReminderSettings>>({});
  const save = useApiMutation(contract.reminders.save, {
    onSuccess: () => {
      toast({ title: 'Settings updated' });
      onClose();
    },
    failure: null,
  });
  useDialogLock(save.isPending);
  const chosen = { ...settings, ...changes };
  const unchanged = JSON.stringify(chosen) === JSON.stringify(settings);
  const change = (changed: Partial<ReminderSettings>) => setChanges({ ...changes, ...changed });
  const withDay = (day: (typeof reminderDays)[number], on: boolean) =>
    reminderDays.filter((other) => (other === day ? on : chosen.reminderDays.includes(other)));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate({ body: changes });
      }}
      className="flex flex-col gap-4"
    >
      <div>
        <Checkbox
          label="Email reminders"
          checked={chosen.emailReminders}
          onChange={(event) => change({ emailReminders: event.target.checked })}
        />
        <Checkbox
          label="In-app notifications"
          checked={chosen.inAppNotifications}
          onChange={(event) => change({ inAppNotifications: event.target.checked })}
        />
      </div>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">When</legend>
        {reminderDays.map((days) => (
          <Checkbox
            key={days}
            label={dayLabel(days)}
            checked={chosen.reminderDays.includes(days)}
            onChange={(event) => change({ reminderDays: withDay(days, event.target.checked) })}
          />
        ))}
      </fieldset>
      <Checkbox
        label="Email me weekly about sessions I haven’t reviewed"
        checked={chosen.weeklyStatements}
        onChange={(event) => change({ weeklyStatements: event.target.checked })}
      />
      <FormError>{save.error && sentenceOf(save.error, 'Failed to update reminder settings.')}</FormError>
      <DialogFooter className="mt-1">
        <Button variant="secondary" onClick={onClose} disabled={save.isPending}>
          Close
        </Button>
        <Button type="submit" disabled={unchanged} pending={save.isPending} pendingLabel="Saving…">
          Save settings
        </Button>
      </DialogFooter>
    </form>
  );
};

type Props = { settings: ReminderSettings; open: boolean; onClose: () => void };

export default function ReminderSettingsDialog({ settings, open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Renewal reminders"
      description="We tell you before your bill is charged or a tool ends, with the price and how to cancel. We always email receipts, payment problems and higher prices."
    >
      {open && <SettingsForm settings={settings} onClose={onClose} />}
    </Dialog>
  );
}
