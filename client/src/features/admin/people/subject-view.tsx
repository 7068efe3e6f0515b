import type { ReactNode } from 'react';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { sentenceCase } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { BackLink, PageHeader } from '#client/ui/elements.tsx';
import { Loading, type Query, QueryView } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

type Props<T> = { kind: 'user' | 'practice'; query: Query<T>; children: (subject: T) => ReactNode };

/** What the page of a user or a team shows until it is loaded, and the way back to the list of them. */
export const SubjectView = <T,>({ kind, query, children }: Props<T>) => (
  <>
    <BackLink href={paths.desk(kind === 'user' ? 'people' : 'practices')}>
      {kind === 'user' ? 'People' : 'Practices'}
    </BackLink>
    {query.data === undefined && <PageHeader title={sentenceCase(kind)} />}
    <QueryView
      query={query}
      framedFailure
      failedTitle={`This ${kind} could not be loaded`}
      loading={<Loading label={`Loading the ${kind}`} skeletons={['h-64', 'mt-4 h-64']} />}
    >
      {children}
    </QueryView>
  </>
);

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'billing', label: 'Billing' },
  { value: 'activity', label: 'Activity' },
] as const;

/** A tab loads what it shows when it is opened. */
export const SubjectTabs = (shown: Record<(typeof tabs)[number]['value'], ReactNode>) => {
  const [tab, openTab] = useTabInAddress(tabs);
  return (
    <Tabs label="Sections" tabs={tabs} value={tab} onValueChange={openTab}>
      {tabs.map(({ value }) => (
        <TabPanel key={value} value={value}>
          {shown[value]}
        </TabPanel>
      ))}
    </Tabs>
  );
};

type Rows = readonly (readonly [label: string, value: ReactNode, ...unknown[]])[];

/** What is known about a person or a team, with a dash for what isn't. */
export const Facts = ({ rows }: { rows: Rows }) => (
  <dl className="space-y-2 text-sm">
    {rows.map(([label, value]) => (
      <div key={label} className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <dt className="text-muted">{label}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere]">{value || '–'}</dd>
      </div>
    ))}
  </dl>
);
