import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/index.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { Administrators } from '#client/features/admin/administrators.tsx';
import { ToolSecrets } from '#client/features/admin/tool-secrets.tsx';
import { ToolHistory, ToolSettingsPanel } from '#client/features/admin/tool-settings.tsx';
import { ToolPricePanel } from '#client/features/admin/tool-price.tsx';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

/** The form in which a tool's maker answers for it; shown for our own tools, whose maker we are. */
type DueDiligence = { dueDiligence: (toolId: string) => ReactNode };

const ToolView = ({ id, dueDiligence }: { id: string } & DueDiligence) => {
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
              <ToolSecrets tool={loaded} />
              <ToolHistory history={loaded.history} />
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
};

export const ToolPage = ({ params, dueDiligence }: { params: Record<string, string> } & DueDiligence) => (
  <Administrators>
    <ToolView key={params['toolId']} id={params['toolId'] ?? ''} dueDiligence={dueDiligence} />
  </Administrators>
);
