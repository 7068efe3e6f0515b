import { ArrowLeft } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { Administrators } from '#client/features/admin/administrators.tsx';
import { ToolPricePanel } from '#client/features/admin/tool-price.tsx';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';

const ToolView = ({ id }: { id: string }) => {
  const { data: tools } = useApiQuery(contract.publications.offered);
  useTitle('Tool');
  return (
    <>
      <ButtonLink href={paths.admin} variant="ghost" size="sm" className="mb-4 -ml-2">
        <ArrowLeft aria-hidden />
        The catalogue
      </ButtonLink>
      <PageHeader title={tools?.find((tool) => tool.id === id)?.name ?? 'Tool'} description={id} />
      <ToolPricePanel toolId={id} />
    </>
  );
};

/** /admin/tools/:id */
export default function ToolPage({ params }: { params: Record<string, string> }) {
  return (
    <Administrators>
      <ToolView key={params['toolId']} id={params['toolId'] ?? ''} />
    </Administrators>
  );
}
