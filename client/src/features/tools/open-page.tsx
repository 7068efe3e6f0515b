import { PackageOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Tool } from '#shared/api/tools.ts';
import { LaunchDialogs } from '#client/features/tools/launch-dialogs.tsx';
import { OpenForForm } from '#client/features/tools/open-for-form.tsx';
import { useLaunch } from '#client/features/tools/use-launch.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { forgetOpenedFor, keepOpenedFor, readOpenedFor } from '#client/lib/session/opened-for.ts';
import { Alert, ButtonLink, Card, PageHeader, TextLink } from '#client/ui/elements.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

/** What the link said, also where another link is followed on this page. */
const useOpenedFor = () => {
  const [given, setGiven] = useState(() => {
    keepOpenedFor();
    return readOpenedFor();
  });
  useEffect(() => {
    const read = () => {
      keepOpenedFor();
      setGiven(readOpenedFor());
    };
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return given;
};

type Given = ReturnType<typeof readOpenedFor>;

const OpenTool = ({ tool, given }: { tool: Tool; given: Given }) => {
  const launching = useLaunch();
  const [opened, setOpened] = useState(false);
  return (
    <Card aria-label={tool.name} className="max-w-form p-5">
      {opened && (
        <Alert
          tone="success"
          announce
          className="mb-4"
          action={<TextLink href={paths.home}>Go to My Tools</TextLink>}
        >{`${tool.name} opens in a new window.`}</Alert>
      )}
      <OpenForForm
        tool={tool}
        launching={launching}
        given={given}
        onDone={() => {
          forgetOpenedFor();
          setOpened(true);
        }}
      />
      <LaunchDialogs launching={launching} />
    </Card>
  );
};

/** /open/TOOL#ref=FILE&purpose=…: where planning software leads to. */
export default function OpenPage({ params }: { params: Record<string, string> }) {
  const given = useOpenedFor();
  const query = both(useApiQuery(contract.tools.list), useApiQuery(contract.subscriptions.list));
  const tool = query.data?.[0].find(({ id, isActive }) => id === params['toolId'] && isActive);
  useTitle(tool ? `Open ${tool.name}` : 'Open a tool');
  return (
    <>
      <PageHeader
        title={tool ? `Open ${tool.name}` : 'Open a tool'}
        description="The tool receives the file number and the purpose. Both go into the record of AI use."
      />
      <QueryView
        query={query}
        failedTitle="The tool could not be loaded"
        loading={<Loading label="Loading the tool" skeletons={['h-60 max-w-form']} />}
      >
        {([, subscriptions]) =>
          tool && subscriptions.some(({ toolId, hasAccess }) => toolId === tool.id && hasAccess) ? (
            <OpenTool key={`${given.clientReference} ${given.purpose}`} tool={tool} given={given} />
          ) : (
            <EmptyState
              icon={<PackageOpen />}
              title={tool ? `You don’t have ${tool.name}` : 'There is no such tool'}
              description={tool ? 'Subscribe to it first, then follow the link again.' : 'Please check the link.'}
              action={
                <ButtonLink href={tool ? paths.subscribe(tool.id) : paths.home} variant="secondary">
                  {tool ? `See ${tool.name}` : 'Go to My Tools'}
                </ButtonLink>
              }
            />
          )
        }
      </QueryView>
    </>
  );
}
