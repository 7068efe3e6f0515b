import { formatSydneyDate } from '#shared/rules/dates.ts';
import { searchable } from '#shared/rules/text.ts';
import { useQueries } from '@tanstack/react-query';
import { FileDown, FolderOpen, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import type { Invoice } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { adminPlaces, type Place, places } from '#client/app/palette-places.ts';
import { amountOf, InvoiceDate } from '#client/features/billing/invoice-parts.tsx';
import { LaunchDialogs } from '#client/features/tools/launch-dialogs.tsx';
import { useLaunch } from '#client/features/tools/use-launch.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useOwnedTeams } from '#client/lib/money/payer.tsx';
import { queryFor, useApiQuery } from '#client/lib/calls/use-api.ts';
import { CommandDialog, CommandEmpty, CommandGroup, CommandItem } from '#client/ui/command.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const People = laterPart(() => import('#client/app/palette-people.tsx'));

/** The newest invoices of the adviser and of each team they pay for. */
const useInvoices = (): Invoice[] => {
  const teams = useOwnedTeams();
  const queries = [{}, ...teams.map(({ id: teamId }) => ({ teamId }))].map((query) =>
    queryFor(contract.billing.invoices, { query }),
  );
  const found = useQueries({ queries }).flatMap(({ data }) => data?.invoices ?? []);
  return found.toSorted((a, b) => b.date.getTime() - a.date.getTime());
};

/** As the invoice's own download button does: without leaving the page. */
const download = ({ invoiceUrl }: Invoice) =>
  Object.assign(document.createElement('a'), { href: invoiceUrl, download: '' }).click();

const Invoices = ({ pick }: { pick: (act: () => void) => void }) => (
  <CommandGroup heading="Download an invoice">
    {useInvoices().map((invoice) => (
      <CommandItem
        key={invoice.id}
        value={`invoice ${invoice.id}`}
        keywords={[
          'invoice',
          invoice.number ?? '',
          invoice.description,
          formatSydneyDate(invoice.date),
          amountOf(invoice),
        ]}
        onSelect={() => pick(() => download(invoice))}
      >
        <FileDown aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          {invoice.description} <span className="text-muted">{invoice.number}</span>
        </span>
        <span className="figures text-muted">
          <InvoiceDate date={invoice.date} /> · {amountOf(invoice)}
        </span>
      </CommandItem>
    ))}
  </CommandGroup>
);

const Places = ({ of, go }: { of: readonly Place[]; go: (to: string) => void }) =>
  of.map(({ label, to, icon: Icon, keywords }) => (
    <CommandItem key={to} value={label} {...(keywords && { keywords })} onSelect={() => go(to)}>
      <Icon aria-hidden />
      {label}
    </CommandItem>
  ));

const least = 2;
const footer = 'Arrow keys to choose, Enter to open, Escape to close.';

type Props = { user: User; open: boolean; onClose: () => void };

/** Ctrl or ⌘ K: opens a tool, goes to any page, finds an invoice and, for administrators, a person. */
export default function CommandPalette({ user, open, onClose }: Props) {
  const [search, setSearch] = useState('');
  const [, navigate] = useLocation();
  const launching = useLaunch();
  const catalogue = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const tools = catalogue.data ?? [];
  const held = new Set(subscriptions.data?.flatMap(({ hasAccess, toolId }) => (hasAccess ? toolId : [])));
  // All are shown at once, so that the first entry is the one Enter opens.
  const ready = !catalogue.isPending && !subscriptions.isPending;
  // However it was closed: the key that opens it closes it, too.
  if (!open && search !== '') setSearch('');
  /** Acts before closing: a tool's window has to open within the press. */
  const pick = (act: () => void) => {
    act();
    onClose();
  };
  const go = (to: string) => pick(() => navigate(to));
  const typed = search.trim();
  const offered = tools.filter(
    ({ id, isActive, comingSoon, closed }) => isActive && !comingSoon && !closed && !held.has(id),
  );
  return (
    <>
      <CommandDialog
        open={open}
        onClose={onClose}
        title="Search and go"
        placeholder="Find a tool, page or invoice"
        search={search}
        onSearch={setSearch}
        searchable={searchable}
        footer={footer}
      >
        <CommandEmpty>{ready ? 'Nothing found. Try fewer or other words.' : 'Loading…'}</CommandEmpty>
        {held.size > 0 && (
          <CommandGroup heading="Open a tool">
            {tools
              .filter(({ id }) => held.has(id))
              .map((tool) => (
                <CommandItem
                  key={tool.id}
                  value={`Open ${tool.name}`}
                  onSelect={() => pick(() => launching.launch(tool))}
                >
                  <ToolIcon icon={tool.icon} className="-mx-1 size-6! [&_svg]:text-tool!" />
                  Open {tool.name}
                </CommandItem>
              ))}
          </CommandGroup>
        )}
        {typed !== '' && held.size > 0 && (
          <CommandGroup heading="Open for a client">
            {tools
              .filter(({ id }) => held.has(id))
              .map((tool) => (
                <CommandItem
                  key={tool.id}
                  value={`${tool.name} for a client`}
                  keywords={['open']}
                  onSelect={() => pick(() => launching.ask(tool))}
                >
                  <FolderOpen aria-hidden />
                  {tool.name} for a client
                </CommandItem>
              ))}
          </CommandGroup>
        )}
        {ready && (
          <CommandGroup heading="Go to">
            <Places of={user.isAdmin ? [...places, ...adminPlaces] : places} go={go} />
          </CommandGroup>
        )}
        {offered.length > 0 && (
          <CommandGroup heading="Subscribe">
            {offered.map(({ id, name }) => (
              <CommandItem key={id} value={`Subscribe to ${name}`} onSelect={() => go(paths.subscribe(id))}>
                <Plus aria-hidden />
                Subscribe to {name}
              </CommandItem>
            ))}
          </CommandGroup>
        )}
        {typed.length >= least && <Invoices pick={pick} />}
        {user.isAdmin && typed.length >= least && <People search={typed} go={go} />}
      </CommandDialog>
      <LaunchDialogs launching={launching} />
    </>
  );
}
