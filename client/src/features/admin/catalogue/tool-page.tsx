import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ManagedTool } from '#shared/api/catalogue.ts';
import { contract } from '#shared/api/index.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { Administrators } from '#client/features/admin/people/administrators.tsx';
import { ToolHistory, ToolSettingsPanel } from '#client/features/admin/catalogue/tool-settings.tsx';
import { ToolPricePanel } from '#client/features/admin/catalogue/tool-price.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type MakersParts = {
  /** The form in which a tool's maker answers for it; shown for our own tools, whose maker we are. */
  dueDiligence: (toolId: string) => ReactNode;
  secrets: (tool: ManagedTool) => ReactNode;
};

const ToolView = ({ id, dueDiligence, secrets }: { id: string } & MakersParts) => {
  const tool = useApiQuery(contract.catalogue.tool, { params: { toolId: id } }, { refetchOnMount: 'always' });
  useTitle(tool.data?.settings.name ?? 'Tool');
  return (
    <>
      <ButtonLink href={paths.admin} variant="ghost" size="sm" className="mb-4 -ml-2">
        <ArrowLeft aria-hidden />
        The catalogue
      </ButtonLink>
      <PageHeader title={tool.data?.settings.name ?? 'Tool'} description={id} />
      <QueryView
        query={tool}
        failedTitle="This tool could not be loaded"
        framedFailure
        loading={<Loading label="Loading the tool" className="grid gap-6" skeletons={['h-96', 'h-40']} />}
      >
        {(loaded) => (
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <div className="grid grid-cols-1 gap-6">
              <ToolSettingsPanel tool={loaded} />
              {loaded.ownerName === null && dueDiligence(id)}
            </div>
            <div className="grid grid-cols-1 gap-6">
              {id !== lostMoneyTool && <ToolPricePanel toolId={id} />}
              {secrets(loaded)}
              <ToolHistory history={loaded.history} />
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
};

export const ToolPage = ({ params, ...parts }: { params: Record<string, string> } & MakersParts) => (
  <Administrators>
    <ToolView key={params['toolId']} id={params['toolId'] ?? ''} {...parts} />
  </Administrators>
);
