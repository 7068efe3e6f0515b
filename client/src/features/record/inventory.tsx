import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { brand } from '#shared/brand.ts';
import { contract } from '#shared/api/members.ts';
import type { Inventory, InventoryTool } from '#shared/api/recorded.ts';
import { formatCalendarDay, sydneyDate, formatSydneyDate } from '#shared/rules/dates.ts';
import { differenceText } from '#shared/rules/record/announcements.ts';
import { teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { personName } from '#client/features/record/session-list.tsx';
import { dotted } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, TextLink } from '#client/ui/elements.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';

const [DecideDialog] = lazyDialog(() => import('#client/features/record/decide-dialog.tsx'));
const [ToolDialog] = lazyDialog(() => import('#client/features/record/tool-dialog.tsx'));
const [ReviewDialog] = lazyDialog(() => import('#client/features/record/review-dialog.tsx'));

const useText = ({ sessions, durationSeconds, unchecked, version, outside }: InventoryTool) =>
  sessions === 0
    ? outside
      ? 'No session recorded'
      : 'Not used'
    : dotted([
        sessions === 1 ? '1 session' : `${sessions} sessions`,
        durationSeconds > 0 && `${spentText(durationSeconds)} in all`,
        version && `version ${version}`,
        unchecked > 0 && `${unchecked} not checked`,
      ]);

export type OfRole = { teamId: string; role: TeamRole };

type AllowProps = Pick<OfRole, 'teamId'> & { tool: InventoryTool; label: 'Allow' | 'Keep allowing' };

const AllowButton = ({ teamId, tool, label }: AllowProps) => {
  const { mutate, isPending } = useApiMutation(contract.record.decide, {
    failure: 'The decision could not be saved. Please try again.',
    onSuccess: () => toast({ title: `${tool.toolName} is allowed` }),
  });
  return (
    <Button
      size="sm"
      variant="secondary"
      pending={isPending}
      pendingLabel="Saving…"
      aria-label={`${label} ${tool.toolName}`}
      onClick={() => mutate({ params: { teamId, toolId: tool.toolId }, body: { allowed: true } })}
    >
      {label}
    </Button>
  );
};

const sinceReview = ({ toolId, reviews: [last] }: InventoryTool) =>
  paths.disclosure(toolId) + (last?.disclosureVersion ? `?since=${last.disclosureVersion}` : '');

/** What is, or will be, other than the practice reviewed. */
const Differences = ({ tool }: { tool: InventoryTool }) => (
  <div className="mt-1">
    <p className="font-medium">
      {tool.reviews.length > 0 ? 'Different from what you reviewed' : 'Different from the maker’s answers'}
    </p>
    <ul>
      {tool.differences.map((one) => (
        <li key={one.about} className="break-words">
          {differenceText(one)}
          {one.onDay && <span className="text-muted"> ({onDayText(one.onDay)})</span>}
        </li>
      ))}
      {tool.otherDifferences > 0 && (
        <li>
          <TextLink href={sinceReview(tool)}>
            {tool.otherDifferences === 1 ? 'One other answer' : `${tool.otherDifferences} other answers`}
          </TextLink>
        </li>
      )}
    </ul>
  </div>
);

const onDayText = (onDay: string) =>
  onDay > sydneyDate(businessNow()) ? `from ${formatCalendarDay(onDay)}` : `since ${formatCalendarDay(onDay)}`;

/** An owner that has not decided allows it, or not, by the switch above the list. */
const Status = ({ tool }: { tool: InventoryTool }) =>
  !tool.allowed ? (
    <Badge tone="danger">Not allowed</Badge>
  ) : tool.decided ? (
    <Badge tone="success">Allowed</Badge>
  ) : (
    <Badge>Not assessed</Badge>
  );

const columns = 'lg:grid lg:grid-cols-[minmax(0,1fr)_7rem_10rem_12rem_5rem_5.5rem_1rem] lg:gap-x-4';

const Head = () => (
  <p aria-hidden className={`hidden py-2 text-xs font-medium text-muted ${columns}`}>
    {['Tool', 'Status', 'Responsible', 'Review due', 'Sessions', 'To review'].map((name, index) => (
      <span key={name} className={index > 3 ? 'text-right' : undefined}>
        {name}
      </span>
    ))}
  </p>
);

const isInUse = ({ decided, sessions }: InventoryTool) => decided || sessions > 0;

/** What the list shows of a tool; on a phone in a few lines. */
const Summary = ({ tool }: { tool: InventoryTool }) => {
  const { accountable, reviewDue } = tool;
  const quiet = tool.sessions === 0 && 'max-lg:hidden';
  const isDue = reviewDue !== null && reviewDue <= sydneyDate(businessNow());
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="text-sm font-semibold">{tool.toolName}</h3>
        {tool.outside && (
          <Badge tone="outline">
            Outside <span className="max-sm:sr-only">{brand.name}</span>
          </Badge>
        )}
        {tool.toDecide && isInUse(tool) && <Badge tone="warning">Change to decide on</Badge>}
      </span>
      <span>
        <Status tool={tool} />
      </span>
      <span className="min-w-0 break-words max-lg:text-xs max-lg:text-muted">
        {accountable ? (
          <>
            <span className="lg:sr-only">Responsible: </span>
            {personName(accountable)} {!accountable.isMember && <Badge tone="warning">has left</Badge>}
          </>
        ) : (
          isInUse(tool) && <span className="text-muted">Nobody yet</span>
        )}
      </span>
      <span className="max-lg:text-xs max-lg:text-muted">
        {reviewDue !== null && (
          <>
            <span className="lg:sr-only">Review </span>
            {isDue ? (
              <span className="text-danger">
                <span className="max-lg:lowercase">Overdue</span> since {formatCalendarDay(reviewDue)}
              </span>
            ) : (
              <>
                <span className="lg:sr-only">due </span>
                {formatCalendarDay(reviewDue)}
              </>
            )}
          </>
        )}
      </span>
      <span aria-hidden className="basis-full lg:hidden" />
      <span className={clsx('figures max-lg:text-xs max-lg:text-muted lg:text-right', quiet)}>
        {tool.sessions} <span className="lg:sr-only">{tool.sessions === 1 ? 'session' : 'sessions'}</span>
      </span>
      <span className={clsx('figures max-lg:text-xs max-lg:text-muted lg:text-right', quiet)}>
        {tool.unstated} <span className="lg:sr-only">to review</span>
      </span>
      <ChevronDown
        aria-hidden
        className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 max-lg:absolute max-lg:top-3.5 max-lg:right-0"
      />
    </>
  );
};

const Actions = ({ teamId, tool, role }: OfRole & { tool: InventoryTool }) => {
  const [dialog, setDialog] = useState<'decide' | 'review' | 'about'>();
  const about = { teamId, tool, onClose: () => setDialog(undefined) };
  const decides = teamCan(role, 'decide');
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {decides && !tool.allowed && <AllowButton teamId={teamId} tool={tool} label="Allow" />}
      {decides && tool.allowed && tool.toDecide && isInUse(tool) && (
        <AllowButton teamId={teamId} tool={tool} label="Keep allowing" />
      )}
      <Button
        size="sm"
        variant="secondary"
        aria-label={`Reviews of ${tool.toolName}`}
        onClick={() => setDialog('review')}
      >
        Reviews ({tool.reviews.length})
      </Button>
      {decides && (
        <Button size="sm" variant="secondary" aria-label={`About ${tool.toolName}`} onClick={() => setDialog('about')}>
          About
        </Button>
      )}
      {decides && tool.allowed && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Don't allow ${tool.toolName}`}
          onClick={() => setDialog('decide')}
        >
          Don’t allow…
        </Button>
      )}
      <DecideDialog {...about} open={dialog === 'decide'} />
      <ReviewDialog {...about} redacts={teamCan(role, 'manage')} open={dialog === 'review'} />
      <ToolDialog {...about} open={dialog === 'about'} />
    </div>
  );
};

/** One line, which unfolds: at once where a decision waits. */
const ToolRow = ({ teamId, tool, role }: OfRole & { tool: InventoryTool }) => {
  const [open, setOpen] = useState(tool.toDecide && isInUse(tool));
  return (
    <li>
      <details className="group" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary
          // A redraw before the browser tells of the press would undo it.
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('a, button')) return;
            event.preventDefault();
            setOpen(!open);
          }}
          className={`relative cursor-pointer list-none rounded-sm py-3 hover:bg-surface-subtle max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 max-lg:pr-6 lg:items-center [&::-webkit-details-marker]:hidden ${columns}`}
        >
          <Summary tool={tool} />
        </summary>
        <div className="pb-4 [overflow-wrap:anywhere]">
          {tool.reason && <p>{tool.reason}</p>}
          {tool.usedFor && <p>Used for: {tool.usedFor}</p>}
          {tool.dataAllowed && <p>What may go in: {tool.dataAllowed}</p>}
          <p className="text-muted">{useText(tool)}</p>
          {tool.people.length > 0 && (
            <p className="text-muted">
              {tool.people.map((person) => `${personName(person)} (${person.sessions})`).join(', ')}
            </p>
          )}
          {!tool.outside && (
            <p>
              <TextLink href={paths.disclosure(tool.toolId)}>Supplier due diligence</TextLink>{' '}
              <span className="text-muted">
                {tool.disclosedAt ? `supplied on ${formatSydneyDate(tool.disclosedAt)}` : 'not supplied'}
              </span>{' '}
              {!tool.announced && <Badge tone="warning">Running an unannounced version ({tool.version})</Badge>}
            </p>
          )}
          {!tool.outside && tool.differences.length + tool.otherDifferences > 0 && <Differences tool={tool} />}
          {teamCan(role, 'review') && <Actions teamId={teamId} tool={tool} role={role} />}
        </div>
      </details>
    </li>
  );
};

const NewTools = ({ teamId, allowed }: { teamId: string; allowed: boolean }) => {
  const { mutate, isPending } = useApiMutation(contract.record.allowNewTools, {
    failure: 'The setting could not be saved. Please try again.',
  });
  return (
    <Switch
      label="Allow tools we haven’t assessed"
      checked={allowed}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId }, body: { allowed: event.target.checked } })}
    />
  );
};

/** The register of AI tools: one's own, and those from elsewhere. */
export const Tools = ({ teamId, inventory, role }: OfRole & { inventory: Inventory }) => (
  <>
    {teamCan(role, 'decide') && (
      <div className="mb-3">
        <NewTools teamId={teamId} allowed={inventory.newToolsAllowed} />
      </div>
    )}
    <Head />
    <ul className="divide-y border-t">
      {inventory.tools
        .toSorted((a, b) => Number(isInUse(b)) - Number(isInUse(a)))
        .map((tool) => (
          <ToolRow key={tool.toolId} teamId={teamId} tool={tool} role={role} />
        ))}
    </ul>
  </>
);
