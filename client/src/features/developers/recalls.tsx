import * as z from 'zod';
import { contract } from '#shared/api/index.ts';
import type { OperatedRecall, RecallsOfTool } from '#shared/api/recalls.ts';
import { formatCalendarDay, formatSydneyDate, sydneyDate } from '#shared/rules/dates.ts';
import {
  countText,
  mostToldUnconfirmed,
  severities,
  severityLabels,
  versionsText,
  versionText,
} from '#shared/rules/record/recalls.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { dotted, sentenceCase } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Badge, Button, Panel } from '#client/ui/elements.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, FormFooter, LongTextField, TextField } from '#client/ui/form.tsx';
import { Row } from '#client/ui/list.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

/** A maker's own calls, or an administrator's. */
type As = 'maker' | 'admin';
const callsOf = (as: As) => (as === 'admin' ? api.adminRecalls : api.toolRecalls);

const { shape } = contract.toolRecalls.change.body;
const changing = z.object({ ...shape, untilDay: z.union([z.literal(''), shape.fromDay]) });
const opening = changing.extend({ reason: z.string() });

type FormProps = {
  as: As;
  toolId: string;
  versions: RecallsOfTool['versions'];
  recall?: OperatedRecall;
  onDone: () => void;
};

/** Opens a recall, or changes one with a reason. */
const RecallForm = ({ as, toolId, versions, recall, onDone }: FormProps) => {
  const form = useKeptForm({
    schema: recall ? changing : opening,
    defaultValues: {
      versions: recall?.versions ?? [],
      fromDay: recall?.fromDay ?? sydneyDate(businessNow()),
      untilDay: recall?.untilDay ?? '',
      wrong: recall?.wrong ?? '',
      lookFor: recall?.lookFor ?? '',
      severity: recall?.severity ?? 'medium',
      stops: recall?.stops ?? false,
      reason: '',
    },
    draft: `recall-${recall?.id ?? toolId}`,
    send: async ({ reason, untilDay, ...terms }) => {
      const body = { ...terms, untilDay: untilDay || null };
      if (recall) {
        await callsOf(as).change({ params: { toolId, id: recall.id }, body: { ...body, reason } });
        return true;
      }
      return (await callsOf(as).open({ params: { toolId }, body })).confirmed;
    },
    onDone: (told) => {
      toast(
        told
          ? { title: 'Saved', description: 'We tell everybody whose sessions it touches within ten minutes.' }
          : {
              title: 'Saved',
              description: `It touches more than ${mostToldUnconfirmed} people. We confirm it before anybody is told.`,
            },
      );
      onDone();
    },
    failure: 'The recall could not be saved. Please try again.',
  });
  const { register, errorOf } = form;
  return (
    <Form form={form} label={recall ? 'Change the recall' : 'Open a recall'} className="space-y-1">
      <fieldset className="pb-3">
        <legend className="text-sm font-medium">Versions (none chosen: every version)</legend>
        {versions.map(({ version, sessions }) => (
          <Checkbox
            key={version}
            label={`${versionText(version)} (${countText(sessions, 'session')})`}
            value={version}
            {...register('versions')}
          />
        ))}
      </fieldset>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField form={form} name="fromDay" label="Sessions from" type="date" />
        <TextField form={form} name="untilDay" label="To" optional type="date" help="Left empty: until you close it." />
      </div>
      <LongTextField
        form={form}
        name="wrong"
        label="What may be wrong"
        help="Everybody reads this, in the email too."
      />
      <LongTextField form={form} name="lookFor" label="What to look for" />
      <Field label="How bad it may be" error={errorOf('severity')}>
        <Select
          options={severities.map((value) => ({ value, label: severityLabels[value] }))}
          {...register('severity')}
        />
      </Field>
      <Checkbox label="Open no new sessions until it is closed" {...register('stops')} />
      {recall && <TextField form={form} name="reason" label="Why you change it" />}
      <FormFooter form={form} onCancel={onDone} pendingLabel="Saving…">
        {recall ? 'Save' : 'Open the recall'}
      </FormFooter>
    </Form>
  );
};

const CloseForm = ({ as, toolId, id, onDone }: { as: As; toolId: string; id: string; onDone: () => void }) => {
  const form = useApiForm({
    schema: z.object({ reason: contract.toolRecalls.close.body.shape.reason }),
    defaultValues: { reason: '' },
    send: (body) => callsOf(as).close({ params: { toolId, id }, body }),
    onDone: () => {
      toast({ title: 'The recall is closed' });
      onDone();
    },
    failure: 'The recall could not be closed. Please try again.',
  });
  return (
    <Form form={form} label="Close the recall">
      <LongTextField form={form} name="reason" label="Why, for everybody to read" />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Closing…">
        Close the recall
      </FormFooter>
    </Form>
  );
};

const Confirm = ({ toolId, id }: { toolId: string; id: string }) => {
  const { mutate, isPending } = useApiMutation(contract.adminRecalls.confirm, {
    onSuccess: ({ message }) => toast({ title: message }),
  });
  return (
    <Button size="sm" pending={isPending} pendingLabel="Confirming…" onClick={() => mutate({ params: { toolId, id } })}>
      Confirm, and tell everybody
    </Button>
  );
};

const Recall = ({
  as,
  toolId,
  versions,
  recall,
}: Omit<FormProps, 'onDone' | 'recall'> & { recall: OperatedRecall }) => (
  <Row
    className="items-start"
    title={
      <>
        <h3 className="text-sm font-semibold">{sentenceCase(versionsText(recall.versions))}</h3>
        {recall.closedAt ? (
          <Badge tone="outline">Closed {formatSydneyDate(recall.closedAt)}</Badge>
        ) : recall.confirmed ? (
          <Badge tone="warning">Open</Badge>
        ) : (
          <Badge tone="danger">Waiting for an administrator</Badge>
        )}
        {recall.stops && !recall.closedAt && <Badge tone="danger">No new sessions</Badge>}
      </>
    }
    action={
      recall.closedAt === null && (
        <div className="flex flex-wrap gap-2">
          {as === 'admin' && !recall.confirmed && <Confirm toolId={toolId} id={recall.id} />}
          <DialogButton button="Change" look={{ size: 'sm', variant: 'secondary' }} title="Change the recall">
            {(close) => <RecallForm as={as} toolId={toolId} versions={versions} recall={recall} onDone={close} />}
          </DialogButton>
          <DialogButton
            button="Close"
            look={{ size: 'sm', variant: 'ghost', 'aria-label': 'Close the recall' }}
            title="Close the recall?"
            description="It touches no more sessions, and the tool opens new ones again. Sessions that nobody has looked at stay on the list."
          >
            {(close) => <CloseForm as={as} toolId={toolId} id={recall.id} onDone={close} />}
          </DialogButton>
        </div>
      )
    }
  >
    <p className="break-words">{recall.wrong}</p>
    <p className="text-xs text-muted">
      {dotted([
        `from ${formatCalendarDay(recall.fromDay)} ${recall.untilDay ? `to ${formatCalendarDay(recall.untilDay)}` : 'on'}`,
        `${countText(recall.sessions, 'session')}, ${recall.open} not looked at again`,
        `${recall.people} people`,
        countText(recall.practices, 'practice'),
      ])}
    </p>
    <ul className="text-xs text-muted">
      {recall.history.map(({ act, reason, madeAt }) => (
        <li key={madeAt.toISOString()}>{`${act} ${formatSydneyDate(madeAt)}${reason ? `: ${reason}` : ''}`}</li>
      ))}
    </ul>
  </Row>
);

/** Sessions are found, and looked at, while somebody reads this. */
const refreshMs = 10_000;

/** The recalls of one tool, for its maker or for administrators. */
export const Recalls = ({ as, toolId }: { as: As; toolId: string }) => {
  const following = { refetchInterval: refreshMs };
  const own = useFreshQuery(
    contract.toolRecalls.list,
    { params: { toolId } },
    { enabled: as === 'maker', ...following },
  );
  const any = useFreshQuery(
    contract.adminRecalls.list,
    { params: { toolId } },
    { enabled: as === 'admin', ...following },
  );
  const query = as === 'admin' ? any : own;
  return (
    <Panel
      title="Recalls"
      description="If the tool made a mistake, have its sessions looked at again. We email every adviser and practice with such sessions within ten minutes."
      action={
        query.data && (
          <DialogButton
            button="Open a recall"
            look={{ size: 'sm', variant: 'secondary' }}
            title="Open a recall"
            size="lg"
          >
            {(close) => <RecallForm as={as} toolId={toolId} versions={query.data.versions} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <QueryView
        query={query}
        failedTitle="The recalls could not be loaded"
        loading={<Loading label="Loading the recalls" skeletons={['h-12']} />}
        isEmpty={({ recalls }) => recalls.length === 0}
        empty={<p className="text-sm text-muted">No recalls yet.</p>}
      >
        {({ versions, recalls }) => (
          <ul className="divide-y">
            {recalls.map((recall) => (
              <Recall key={recall.id} as={as} toolId={toolId} versions={versions} recall={recall} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};
