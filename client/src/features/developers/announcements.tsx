import type { Announcement } from '#shared/api/announcements.ts';
import { contract } from '#shared/api/index.ts';
import { formatCalendarDay, formatSydneyDate, plus, day, sydneyDate } from '#shared/rules/dates.ts';
import { questionLabels } from '#shared/rules/record/disclosure.ts';
import { announceable, noticeDays } from '#shared/rules/record/announcements.ts';
import { countText, versionText } from '#shared/rules/record/recalls.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Badge, Panel } from '#client/ui/elements.tsx';
import { Form, FormFooter, LongTextField, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

/** A maker's own calls, or an administrator's. */
type As = 'maker' | 'admin';
const callsOf = (as: As) => (as === 'admin' ? api.catalogue : api.developers);

const helps = {
  version: 'As your sessions will report it.',
  model: 'Which model it will work with, and whose it is.',
  dataLocation: undefined,
  subProcessors: 'Who else will get data, in which country, and for what.',
} as const;

const AnnounceForm = ({ as, toolId, onDone }: { as: As; toolId: string; onDone: () => void }) => {
  const form = useKeptForm({
    schema: contract.developers.announce.body,
    defaultValues: {
      version: '',
      model: '',
      dataLocation: '',
      subProcessors: '',
      note: '',
      onDay: sydneyDate(plus(businessNow(), noticeDays * day)),
      mends: false,
    },
    draft: `announce-${toolId}`,
    send: (body) => callsOf(as).announce({ params: { toolId }, body }),
    onDone: () => {
      toast({ title: 'Announced', description: 'We are telling everybody who uses the tool.' });
      onDone();
    },
    failure: 'The change could not be announced. Please try again.',
  });
  return (
    <Form form={form} label="Announce a change" className="space-y-1">
      {announceable.map((about) => (
        <TextField key={about} form={form} name={about} label={questionLabels[about]} optional help={helps[about]} />
      ))}
      <LongTextField form={form} name="note" label="What it means for advisers" optional />
      <TextField form={form} name="onDay" label="Day of the change" type="date" />
      <Checkbox label={`It mends a fault, so it does not wait for ${noticeDays} days`} {...form.register('mends')} />
      <FormFooter form={form} onCancel={onDone} pendingLabel="Announcing…">
        Announce the change
      </FormFooter>
    </Form>
  );
};

const Announced = ({ one }: { one: Announcement }) => (
  <li className="py-3 text-sm break-words">
    <h3 className="text-sm font-semibold">{`From ${formatCalendarDay(one.onDay)}`}</h3>
    {announceable.map((about) => one[about] && <p key={about}>{`${questionLabels[about]}: ${one[about]}`}</p>)}
    {one.note && <p className="whitespace-pre-line">{one.note}</p>}
    <p className="text-xs text-muted">
      {`Announced on ${formatSydneyDate(one.announcedAt)}${one.mends ? ', to mend a fault' : ''}`}
    </p>
  </li>
);

/** What was announced of one tool, and the versions in use, for its maker or for administrators. */
export const Announcements = ({ as, toolId, mayAnnounce }: { as: As; toolId: string; mayAnnounce: boolean }) => {
  const params = { params: { toolId } };
  const own = useFreshQuery(contract.developers.announcements, params, { enabled: as === 'maker' });
  const any = useFreshQuery(contract.catalogue.announcements, params, { enabled: as === 'admin' });
  return (
    <Panel
      title="Changes"
      description={`Announce another version, model, place of data or sub-processor ${noticeDays} days before. Every practice and adviser that uses the tool is told by email.`}
      action={
        mayAnnounce && (
          <DialogButton
            button="Announce a change"
            look={{ size: 'sm', variant: 'secondary' }}
            title="Announce a change"
            description="It can’t be taken back: announce another change to correct it."
            size="lg"
          >
            {(close) => <AnnounceForm as={as} toolId={toolId} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <QueryView
        query={as === 'admin' ? any : own}
        failedTitle="The changes could not be loaded"
        loading={<Loading label="Loading the changes" skeletons={['h-12']} />}
      >
        {({ versions, announcements }) => (
          <>
            {announcements.length === 0 && <p className="text-sm text-muted">Nothing was announced yet.</p>}
            <ul aria-label="Announced changes" className="divide-y">
              {announcements.map((one) => (
                <Announced key={one.id} one={one} />
              ))}
            </ul>
            {versions.length > 0 && (
              <>
                <h3 className="mt-3 mb-1 text-sm font-semibold">Versions in use</h3>
                <ul aria-label="Versions in use" className="space-y-1 text-sm">
                  {versions.map(({ version, sessions, lastUsedAt, announced }) => (
                    <li key={version} className="flex flex-wrap items-center gap-x-2">
                      <span className="break-all">{versionText(version)}</span>
                      <span className="text-muted">
                        {`${countText(sessions, 'session')}, last ${formatSydneyDate(lastUsedAt)}`}
                      </span>
                      {!announced && version !== '' && <Badge tone="warning">Not announced</Badge>}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};
