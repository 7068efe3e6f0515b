import type { RecordSession } from '#shared/api/recorded.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import { contract } from '#shared/api/members.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Badge, Button } from '#client/ui/elements.tsx';

/** What the adviser stated about the output. */
const StatedBadge = ({ checked }: { checked: boolean | null }) =>
  checked === null ? (
    <Badge tone="warning">Not reviewed</Badge>
  ) : checked ? (
    <Badge tone="success">Reviewed</Badge>
  ) : (
    <Badge tone="danger">Not checked</Badge>
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

/** One press states that the output was checked. */
export const StateChecked = ({ session, variant }: { session: RecordSession; variant?: 'primary' | 'secondary' }) => {
  const { mutate, isPending } = useApiMutation(contract.record.state, {
    failure: 'Your review could not be added. Please try again.',
  });
  return (
    <Button
      size="sm"
      variant={variant ?? 'secondary'}
      pending={isPending}
      pendingLabel="Adding…"
      aria-label={`I reviewed the output: ${session.toolName}, ${formatDateTime(session.createdAt)}`}
      onClick={() => mutate({ params: { id: session.id }, body: { checked: true } })}
    >
      I reviewed the output
    </Button>
  );
};

const said = (text: string, from: 'adviser' | 'tool' | null) => (from === 'tool' ? `${text} (from the tool)` : text);

const Facts = ({ session, withPerson }: { session: RecordSession; withPerson: boolean }) => (
  <p className="text-xs break-words text-muted">
    {dotted([
      withPerson && personName(session),
      formatDateTime(session.createdAt),
      session.durationSeconds !== null && lengthText(session.durationSeconds),
      session.toolVersion && `Version ${session.toolVersion}`,
      session.purpose ? said(purposeLabels[session.purpose], session.purposeFrom) : 'No purpose',
      session.clientReference ? said(session.clientReference, session.referenceFrom) : 'No client reference',
      session.checks.length > 0 && `checked: ${session.checks.join(', ')}`,
      session.statedAt && `reviewed ${formatDateTime(session.statedAt)}`,
    ])}
  </p>
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
};

/** Sessions with what is recorded of each. Advisers can state their own here. */
export const SessionList = ({ sessions, withPerson = false, onOpen, chosen, isOpen, onChoose }: Props) => (
  <ul className="divide-y border-y">
    {sessions.map((session) => (
      <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 max-sm:gap-x-1 max-sm:py-2">
        {isOpen(session) ? (
          <Checkbox
            label={
              <span className="sr-only">{`Choose ${session.toolName}, ${formatDateTime(session.createdAt)}`}</span>
            }
            checked={chosen.has(session.id)}
            onChange={() => onChoose(session.id)}
          />
        ) : (
          sessions.some(isOpen) && <span aria-hidden className="w-6.5 shrink-0 max-sm:hidden" />
        )}
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {session.toolName}
            {session.outside && <Badge tone="outline">Recorded by hand</Badge>}
            <StatedBadge checked={session.checked} />
            <ReviewMarks {...session} />
            <SignedOff {...session} />
          </p>
          <Facts session={session} withPerson={withPerson} />
          {session.signedOff && (
            <p className="text-xs text-muted">{dotted([signOffText(session.signedOff), session.signedOff.remark])}</p>
          )}
          {session.remark && <p className="mt-0.5 text-sm break-words whitespace-pre-line">{session.remark}</p>}
        </div>
        <Button
          size="sm"
          variant="ghost"
          className="max-sm:-mr-2.5 max-sm:self-start"
          aria-label={`Details: ${session.toolName}, ${formatDateTime(session.createdAt)}`}
          onClick={() => onOpen(session)}
        >
          {session.lines > 1 ? `Details (${session.lines})` : 'Details'}
        </Button>
        {!withPerson && session.checked === null && (
          <span className="max-sm:basis-full">
            <StateChecked session={session} />
          </span>
        )}
      </li>
    ))}
  </ul>
);

/** `Signed off by Liam Walker, 26 Nov 2026, 12:58 am UTC · drawn by chance from 89` */
export const signOffText = (one: NonNullable<RecordSession['signedOff']>) =>
  dotted([
    `Signed off by ${personName(one)}, ${formatDateTime(one.madeAt)}`,
    one.sampledFrom !== null &&
      (one.sampleId
        ? `drawn by chance from ${one.sampledFrom}`
        : `one of a sample from ${one.sampledFrom}, as they said`),
  ]);

/** `12 min` */
const lengthText = (seconds: number) => (seconds < 60 ? 'Under 1 min' : `${Math.round(seconds / 60)} min`);

export const personName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'Former adviser';
