import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { teamCan } from '#shared/rules/people/teams.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Asks } from '#client/features/record/asks.tsx';
import { Holds } from '#client/features/record/holds.tsx';
import { type OfRole, Tools } from '#client/features/record/inventory.tsx';
import { RecallAlert } from '#client/features/record/recall-alert.tsx';
import { ReviewSettings } from '#client/features/record/review-settings.tsx';
import { Register, useFilter } from '#client/features/record/register.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { Button, ButtonLink, Panel } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const [ToolDialog] = lazyDialog(() => import('#client/features/record/tool-dialog.tsx'));

const TeamRegister = ({ teamId, manages }: { teamId: string; manages: boolean }) => {
  const [filter, change] = useFilter({ ofTeam: true });
  const query = useFreshQuery(
    contract.record.teamSessions,
    { params: { teamId }, query: filter },
    { keepPrevious: true },
  );
  return <Register query={query} filter={filter} change={change} teamId={teamId} redacts={manages} />;
};

const parts = [
  { value: 'tools', label: 'Register' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'rules', label: 'Rules' },
  { value: 'holds', label: 'Legal holds' },
] as const;

/** The practice's record: the tools in use, what is allowed and reviewed, and every session through its subscriptions. */
export default function TeamRecord({ teamId, role }: OfRole) {
  const manages = teamCan(role, 'manage');
  const [listing, setListing] = useState(false);
  const [part, setPart] = useTabInAddress(parts, { name: 'part', keep: ['team', 'tab'] });
  const inventory = useFreshQuery(contract.record.inventory, { params: { teamId }, query: {} });
  return (
    <Tabs segmented label="Record" tabs={parts} value={part} onValueChange={setPart} className="space-y-6">
      <RecallAlert teamId={teamId} />
      <TabPanel value="tools" className="grid grid-cols-1 gap-6 pt-0!">
        <Asks teamId={teamId} role={role} />
        <Panel
          title="Register of AI tools"
          action={
            teamCan(role, 'decide') && (
              <>
                <Button size="sm" variant="secondary" onClick={() => setListing(true)}>
                  Add another AI tool
                </Button>
                <ToolDialog teamId={teamId} tool={null} open={listing} onClose={() => setListing(false)} />
              </>
            )
          }
          description="Members can’t open or buy tools that you don’t allow. Existing subscriptions keep running. Counts cover 90 days."
        >
          <QueryView
            query={inventory}
            failedTitle="The inventory could not be loaded"
            loading={
              <Loading label="Loading the inventory" className="space-y-3" skeletons={Array<string>(4).fill('h-14')} />
            }
          >
            {(loaded) => <Tools teamId={teamId} inventory={loaded} role={role} />}
          </QueryView>
        </Panel>
      </TabPanel>
      <TabPanel value="sessions" className="pt-0!">
        <Panel
          title="Sessions"
          description="Includes sessions by people who have since left. Sessions from before the record began are not here."
          action={
            <ButtonLink href={paths.packs(teamId)} variant="secondary" size="sm">
              Evidence packs
            </ButtonLink>
          }
        >
          <TeamRegister teamId={teamId} manages={manages} />
        </Panel>
      </TabPanel>
      <TabPanel value="rules" className="pt-0!">
        <ReviewSettings teamId={teamId} rules={inventory.data?.rules} manages={manages} />
      </TabPanel>
      <TabPanel value="holds" className="pt-0!">
        <Holds teamId={teamId} manages={manages} />
      </TabPanel>
    </Tabs>
  );
}
