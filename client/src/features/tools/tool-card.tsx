import { ArrowUpRight, Ellipsis } from 'lucide-react';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { statusLabel } from '#shared/rules/billing/subscriptions.ts';
import type { CardState } from '#client/features/tools/card-state.ts';
import { lastUsedText } from '#client/features/tools/usage.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { statusTone } from '#client/lib/words/status-tone.ts';
import { LazyMenu } from '#client/lib/pages/lazy-menu.tsx';
import { Badge, Button, Text } from '#client/ui/elements.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** The states of a tool that somebody has. */
export type HeldState = Extract<CardState, { subscription: Subscription | null }>;
export type ToolUse = Reply<typeof contract.tools.myUsage>[number];

type Props = {
  tool: Tool;
  state: HeldState & { subscription: Subscription };
  /** Undefined while it is not known, null where it was never used. */
  use: ToolUse | null | undefined;
  /** The number key that opens it. */
  shortcut: number | null;
  opening: boolean;
  onOpen: () => void;
  /** Asks for which client; null where opening it asks by itself. */
  onOpenFor: (() => void) | null;
  /** The buttons of the subscription's payer, which belong to another feature. */
  manage: (subscription: Subscription) => ReactNode;
};

const loadMenu = () => import('#client/features/tools/tool-menu.tsx');

/** A tool that one has: opened with one press. */
export const ToolCard = ({ tool, state, use, shortcut, opening, onOpen, onOpenFor, manage }: Props) => {
  const { id, name, icon, description } = tool;
  const { teamId, canManage } = state.subscription;
  return (
    <li className="flex flex-col gap-1.5 rounded border bg-surface p-3 sm:gap-2 shadow-faint transition-colors hover:border-control sm:px-4">
      <div className="flex items-start gap-3">
        <ToolIcon icon={icon} className="size-9!" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-sm font-semibold">{name}</h3>
            <StateBadges subscription={state.subscription} />
          </div>
          <p className="line-clamp-1 text-xs text-muted sm:line-clamp-2" title={description ?? undefined}>
            {description}
          </p>
        </div>
        <LazyMenu
          load={loadMenu}
          give={{ toolId: id, teamId, canManage, onOpenFor: state.kind === 'open' ? onOpenFor : null }}
          trigger={
            <Button variant="ghost" size="icon" className="-mt-1.5 -mr-2 text-muted" aria-label={`More about ${name}`}>
              <Ellipsis aria-hidden />
            </Button>
          }
        />
      </div>
      <div className="mt-auto flex flex-col gap-1.5 sm:gap-2">
        {state.kind === 'open' && <UseLine use={use} />}
        {state.kind === 'held' && (
          <p className="text-xs text-muted">
            Access has ended. You can reactivate it until{' '}
            {formatSydneyDate(state.subscription.gracePeriodEnd ?? businessNow())}.
          </p>
        )}
        {state.kind === 'not-allowed' && <NotAllowed {...state} />}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {state.kind === 'open' && (
            <Button
              variant="soft"
              className={clsx('flex-1 max-sm:h-11', canManage && 'sm:max-w-44')}
              data-opens={id}
              pending={opening}
              pendingLabel="Opening…"
              aria-label={`Open ${name} in a new window`}
              {...(shortcut && { 'aria-keyshortcuts': String(shortcut) })}
              onClick={onOpen}
            >
              Open
              <ArrowUpRight aria-hidden />
              {shortcut && (
                <kbd aria-hidden className="rounded-sm border border-current px-1 text-xs leading-4 max-sm:hidden">
                  {shortcut}
                </kbd>
              )}
            </Button>
          )}
          <span className="ml-auto flex flex-wrap justify-end gap-x-4 gap-y-1 first:ml-0 empty:hidden">
            {manage(state.subscription)}
          </span>
        </div>
      </div>
    </li>
  );
};

/** A running subscription of one's own needs no badge. */
const StateBadges = ({ subscription }: { subscription: Subscription }) => {
  const { status, teamName } = subscription;
  return (
    <>
      {teamName && <Badge tone="outline">{teamName}</Badge>}
      {status !== 'active' && <Badge tone={statusTone[status]}>{statusLabel(subscription)}</Badge>}
    </>
  );
};

export const NotAllowed = ({ teamName, reason }: { teamName: string; reason: string | null }) => (
  <p className="rounded bg-warning-subtle px-3 py-2 text-xs break-words">
    <span className="font-medium">Not allowed by {teamName}.</span>
    <Text> {reason}</Text>
  </p>
);

const UseLine = ({ use }: { use: Props['use'] }) => (
  <p className="figures text-xs text-muted">
    <span>Last used </span>
    {use ? (
      <time dateTime={use.lastAccessed.toISOString()} title={formatDateTime(use.lastAccessed)} className="text-text">
        {lastUsedText(use.lastAccessed, businessNow())}
      </time>
    ) : (
      <span className="text-text">{use === null ? lastUsedText(null, businessNow()) : '–'}</span>
    )}
    <Text> · {use === undefined ? '–' : sessionsText(use?.sessions ?? 0)}</Text>
  </p>
);

const sessionsText = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'} in all`;
