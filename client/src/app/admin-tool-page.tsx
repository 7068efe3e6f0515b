import { Disclose } from '#client/features/developers/disclosure-form.tsx';
import { ToolPage } from '#client/features/admin/tool-page.tsx';

const dueDiligence = (toolId: string) => <Disclose toolId={toolId} />;

/** /admin/tools/:id */
export default function AdminToolPage({ params }: { params: Record<string, string> }) {
  return <ToolPage params={params} dueDiligence={dueDiligence} />;
}
