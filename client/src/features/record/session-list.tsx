import { clsx } from 'clsx';
import { Check, ChevronRight } from 'lucide-react';
import type { RecordSession } from '#shared/api/recorded.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import { dotted, formatClock, formatDateTime, readersZone, sentenceCase } from '#client/lib/words/format.ts';
import { StateChecked } from '#client/features/record/state-checked.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Badge, Button } from '#client/ui/elements.tsx';

/** What the adviser stated about the output. Whoever threw it away has no reason to check it. */
const StatedBadge = ({ checked }: { checked: boolean | null }) =>
  checked ? (
    // What is as it should be is quiet.
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <Check aria-hidden className="size-3.5 text-success" />
      <span>Reviewed</span>
    </span>
  ) : (
    <Badge tone={checked === null ? 'warning' : 'neutral'}>{checked === null ? 'Not reviewed' : 'Not checked'}</Badge>
  );

/** What has to be known of a review: it came late, or from somebody who had left the practice. */
export const ReviewMarks = ({ late, byFormer }: { late: boolean; byFormer: boolean }) => (
  <>
    {late && <Badge tone="warning">Late</Badge>}
    {byFormer && <Badge tone="warning">After leaving</Badge>}
  </>
);

/** Whether a supervisor has signed it off, and the adviser said something later. */
const SignedOff = ({ signedOff, statedAt }: RecordSession) =>
  signedOff &&
  (statedAt !== null && statedAt > signedOff.madeAt ? (
    <Badge tone="warning">Changed since sign-off</Badge>
  ) : (
    <Badge tone="success">Signed off</Badge>
  ));

const said = (text: string, from: 'adviser' | 'tool' | null) => (from === 'tool' ? `${text} (from the tool)` : text);

/** `Version 2026.11 · Fact find (from the tool) · No client reference · reviewed 26 Nov 2026, 2:31 pm AEDT` */
export const factsOf = (session: RecordSession) =>
  dotted([
    session.toolVersion && `Version ${session.toolVersion}`,
    session.purpose ? said(purposeLabels[session.purpose], session.purposeFrom) : 'No purpose',
    session.clientReference ? said(session.clientReference, session.referenceFrom) : 'No client reference',
    session.checks.length > 0 && `checked: ${session.checks.join(', ')}`,
    session.statedAt && `reviewed ${formatDateTime(session.statedAt)}`,
  ]);

/** One grid for the head and every row, so that the columns line up. */
const columnsOf = ({ withPerson, chooses }: { withPerson: boolean; chooses: boolean }) =>
  clsx(
    'lg:grid lg:gap-x-4',
    withPerson
      ? chooses
        ? 'lg:grid-cols-[1rem_10rem_9rem_minmax(0,1fr)_8rem_4.5rem_11rem_2.25rem]'
        : 'lg:grid-cols-[10rem_9rem_minmax(0,1fr)_8rem_4.5rem_11rem_2.25rem]'
      : chooses
        ? 'lg:grid-cols-[1rem_10rem_minmax(0,1fr)_9rem_5rem_12rem_2.25rem]'
        : 'lg:grid-cols-[10rem_minmax(0,1fr)_9rem_5rem_12rem_2.25rem]',
  );

type Props = {
  sessions: readonly RecordSession[];
  /** For a practice: shows whose sessions they are, with nothing to state. */
  withPerson?: boolean;
  onOpen: (session: RecordSession) => void;
  /** Several can be chosen, to be reviewed or signed off at once: those that are open to it. */
  chosen: ReadonlySet<string>;
  isOpen: (session: RecordSession) => boolean;
  onChoose: (id: string) => void;
  /** There is no other page. */
  isWhole: boolean;
};

const Head = ({ withPerson, chooses }: { withPerson: boolean; chooses: boolean }) => (
  <p aria-hidden className={clsx('hidden py-2 text-xs font-medium text-muted', columnsOf({ withPerson, chooses }))}>
    {chooses && <span />}
    {['Date', withPerson && 'Person', 'Tool', 'Client file', 'Duration', 'Review'].map(
      (name) => name && <span key={name}>{name}</span>,
    )}
  </p>
);

/** Sessions with what is recorded of each. Advisers can state their own here. */
export const SessionList = ({ sessions, withPerson = false, onOpen, chosen, isOpen, onChoose, isWhole }: Props) => {
  const chooses = sessions.some(isOpen);
  return (
    <>
      <p className="mb-2 text-xs text-muted">
        {sessions.length === 1 ? 'One session' : `${sessions.length} sessions`} {isWhole ? 'in all' : 'on this page'}.
        Times are in {readersZone()}.
      </p>
      <Head withPerson={withPerson} chooses={chooses} />
      <ul className="divide-y border-y">
        {sessions.map((session) => (
          <li
            key={session.id}
            className={clsx(
              'grid gap-x-1 py-1 lg:items-center',
              chooses ? 'grid-cols-[auto_minmax(0,1fr)_auto]' : 'grid-cols-[minmax(0,1fr)_auto]',
              columnsOf({ withPerson, chooses }),
            )}
          >
            {chooses &&
              (isOpen(session) ? (
                <Checkbox
                  label={
                    <span className="sr-only">{`Choose ${session.toolName}, ${formatDateTime(session.createdAt)}`}</span>
                  }
                  checked={chosen.has(session.id)}
                  onChange={() => onChoose(session.id)}
                />
              ) : (
                <span aria-hidden className="max-lg:hidden" />
              ))}
            <Cells session={session} withPerson={withPerson} wide={chooses && !isOpen(session)} />
            <Button
              size="icon"
              variant="ghost"
              className="max-lg:-mr-2.5"
              title={session.lines > 1 ? `Details (${session.lines})` : 'Details'}
              aria-label={`Details: ${session.toolName}, ${formatDateTime(session.createdAt)}`}
              onClick={() => onOpen(session)}
            >
              <ChevronRight aria-hidden />
            </Button>
            {(session.remark ?? session.signedOff) && (
              <div
                className={clsx(
                  'col-end-[-2] min-w-0 pb-1',
                  chooses && isOpen(session) ? 'col-start-2' : 'col-start-1',
                  besideTool[Number(chooses)]![Number(withPerson)],
                )}
              >
                {session.remark && <p className="text-sm break-words whitespace-pre-line">{session.remark}</p>}
                {session.signedOff && (
                  <p className="text-xs text-muted">
                    {dotted([signOffText(session.signedOff), session.signedOff.remark])}
                  </p>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

/** Where the tool's column begins: without and with boxes to tick, an adviser's own list and a practice's. */
const besideTool = [
  ['lg:col-start-2', 'lg:col-start-3'],
  ['lg:col-start-3', 'lg:col-start-4'],
];

/** What it was for, where the tool's name doesn't say that already: a fact find with Fact Find AI. */
const otherPurpose = ({ purpose, toolName }: RecordSession) => {
  const label = purpose && purposeLabels[purpose];
  return label && !toolName.toLowerCase().startsWith(label.toLowerCase()) ? label : null;
};

/** In columns; on a narrow screen two lines, the tool with its review and the facts. */
const Cells = ({ session, withPerson, wide }: { session: RecordSession; withPerson: boolean; wide: boolean }) => {
  const toState = !withPerson && session.checked === null;
  const purpose = otherPurpose(session);
  const last = session.clientReference ?? (withPerson ? personName(session) : null);
  const fact = (text: string | null) => (
    <span
      className={clsx(
        'min-w-0 break-words max-lg:order-2 max-lg:text-xs max-lg:text-muted',
        text === null ? 'max-lg:hidden' : text !== last && last !== null && 'max-lg:after:content-["_·"]',
      )}
    >
      {text ?? '–'}
    </span>
  );
  return (
    <div
      className={clsx(
        'flex min-w-0 flex-wrap items-center gap-x-1 gap-y-0.5 py-1.5 lg:contents',
        wide && 'max-lg:col-span-2',
      )}
    >
      {fact(formatClock(session.createdAt))}
      {withPerson && fact(personName(session))}
      <span className="min-w-0 font-medium break-words max-lg:mr-1">
        <span>{session.toolName}</span>
        {purpose && <span className="font-normal text-muted">{` · ${purpose}`}</span>}
        {session.outside && (
          <span className="ml-1">
            <Badge tone="outline">Recorded by hand</Badge>
          </span>
        )}
      </span>
      {fact(session.clientReference)}
      <span className="max-lg:hidden">
        {session.durationSeconds === null ? '–' : sentenceCase(spentText(session.durationSeconds))}
      </span>
      <span className={clsx('flex flex-wrap gap-1', toState && 'lg:hidden')}>
        <StatedBadge checked={session.checked} />
        <ReviewMarks {...session} />
        <SignedOff {...session} />
      </span>
      <span aria-hidden className="order-1 basis-full lg:hidden" />
      {toState && (
        <span className="max-lg:order-3 max-lg:basis-full">
          <StateChecked session={session} />
        </span>
      )}
    </div>
  );
};

/** `Signed off by Liam Walker, 26 Nov 2026, 12:58 am UTC · drawn at random from 89` */
export const signOffText = (one: NonNullable<RecordSession['signedOff']>) =>
  dotted([
    `Signed off by ${personName(one)}, ${formatDateTime(one.madeAt)}`,
    one.sampledFrom !== null &&
      (one.sampleId ? `drawn at random from ${one.sampledFrom}` : `said to be one of a sample from ${one.sampledFrom}`),
  ]);

export const personName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'Former adviser';
