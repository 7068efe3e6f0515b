import { FileDown, FileSpreadsheet, FileText, Stamp, Users } from 'lucide-react';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { EvidencePack } from '#shared/api/evidence.ts';
import { contract } from '#shared/api/members.ts';
import { packFailureSentences } from '#shared/rules/record/evidence.ts';
import { addressOf } from '#shared/api/address.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import { dotted, formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Alert, ButtonLink, Text, TextLink } from '#client/ui/elements.tsx';

const Progress = ({ pack: { state, sessionsRead, sessionsTotal } }: { pack: EvidencePack }) => {
  const says = {
    waiting: 'Waiting for its turn',
    reading: `Reading sessions: ${sessionsRead.toLocaleString('en-AU')} of ${sessionsTotal.toLocaleString('en-AU')}`,
    writing: 'Writing the files',
    made: '',
    failed: '',
    withdrawn: '',
  }[state];
  // Writing takes longer than reading.
  const percent = state === 'writing' ? 50 : Math.round((40 * sessionsRead) / Math.max(1, sessionsTotal));
  return (
    <div className="mt-2">
      <p role="status" className="figures text-sm text-muted">
        {says}
      </p>
      <div
        role="progressbar"
        aria-label="Evidence pack"
        aria-valuenow={percent}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-surface-subtle"
      >
        <div className="h-full bg-primary" style={{ width: `${Math.max(4, percent)}%` }} />
      </div>
    </div>
  );
};

const Download = ({
  pack,
  endpoint,
  icon: Icon,
  label,
  size,
}: {
  pack: EvidencePack;
  endpoint: Endpoint;
  icon: typeof FileDown;
  label: string;
  size?: number;
}) => (
  <ButtonLink
    href={addressOf(endpoint, { params: { id: pack.id } })}
    download
    variant="secondary"
    size="sm"
    aria-label={`Download ${label} of ${covers(pack)}`}
  >
    <Icon aria-hidden />
    {label}
    {size !== undefined && <span className="figures font-normal text-muted">{sizeOf(size)}</span>}
  </ButtonLink>
);

const Made = ({ pack, made }: { pack: EvidencePack; made: NonNullable<EvidencePack['made']> }) => (
  <>
    <div className="mt-3 flex flex-wrap gap-2">
      <Download pack={pack} endpoint={contract.evidence.pdf} icon={FileText} label="PDF" size={made.pdfBytes} />
      <Download pack={pack} endpoint={contract.evidence.csv} icon={FileSpreadsheet} label="CSV" size={made.csvBytes} />
      <Download pack={pack} endpoint={contract.evidence.manifest} icon={FileDown} label="Manifest" />
      {made.stamp && <Download pack={pack} endpoint={contract.evidence.stamp} icon={Stamp} label="Time stamp" />}
      {pack.teamId && <Download pack={pack} endpoint={contract.evidence.people} icon={Users} label="Who is who" />}
    </div>
    <details className="mt-2 text-xs text-muted">
      <summary className="w-fit cursor-pointer rounded-sm max-sm:py-3">How to verify this pack</summary>
      <p className="mt-1">
        Choose its PDF, CSV and manifest together under <TextLink href={paths.verifyPack}>Verify a pack</TextLink>. The
        manifest has their checksums. {pack.teamId && <Text>“Who is who” lists the people in the pack.</Text>}
      </p>
      <p className="mt-1">
        Last SHA-256 of its chain:{' '}
        <span className="font-mono [overflow-wrap:anywhere] text-text select-all">{made.head}</span>
      </p>
      {made.stamp && (
        <p className="mt-1">
          {made.stamp.authority} confirms that it existed on {formatDateTime(made.stamp.at)}.
        </p>
      )}
    </details>
  </>
);

const counted = (count: number) => `${count.toLocaleString('en-AU')} ${count === 1 ? 'session' : 'sessions'}`;

export const PackList = ({ packs }: { packs: readonly EvidencePack[] }) => (
  <ul aria-label="Evidence packs" className="divide-y">
    {packs.map((pack) => (
      <li key={pack.id} className="py-4 first:pt-0 last:pb-0">
        <p className="font-medium [overflow-wrap:anywhere]">{covers(pack)}</p>
        <p className="figures mt-0.5 text-sm text-muted">
          {dotted([
            counted(pack.sessionsTotal),
            `requested by ${pack.askedBy || 'a closed account'}`,
            formatDateTime(pack.createdAt),
          ])}
        </p>
        {pack.made && pack.state === 'made' && <Made pack={pack} made={pack.made} />}
        {pack.state === 'failed' && (
          <Alert tone="danger" className="mt-3">
            {packFailureSentences[pack.failedFor ?? 'fault']}
          </Alert>
        )}
        {pack.state === 'withdrawn' && (
          <Alert tone="warning" className="mt-3">
            Its files were withdrawn, because a line in it was redacted. Copies that you have given out still verify.
            Please make it again.
          </Alert>
        )}
        {isGoing(pack) && <Progress pack={pack} />}
      </li>
    ))}
  </ul>
);

function period(from: string | null, to: string | null): string {
  if (from && to)
    return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;
  if (from) return `from ${formatCalendarDay(from)}`;
  return to ? `until ${formatCalendarDay(to)}` : 'all time';
}

/** What a pack covers: "File Note AI · client reference F-12 · 1 Jul 2025 to 30 Jun 2026". */
export const covers = ({
  teamId,
  adviserName,
  toolName,
  clientReference,
  recallId,
  fromDay,
  toDay,
}: EvidencePack): string =>
  dotted([
    ...(teamId ? [adviserName ?? 'Everybody'] : []),
    toolName ?? 'All tools',
    ...(clientReference === null
      ? []
      : [clientReference ? `client reference ${clientReference}` : 'a redacted client reference']),
    ...(recallId ? [`recall ${recallId.slice(0, 8)}`] : []),
    period(fromDay, toDay),
  ]);

export const isGoing = ({ state }: EvidencePack) => state === 'waiting' || state === 'reading' || state === 'writing';

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
