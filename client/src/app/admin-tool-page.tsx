import type { ManagedTool } from '#shared/api/operators/catalogue.ts';
import { ToolPage } from '#client/features/admin/catalogue/tool-page.tsx';
import { Announcements } from '#client/features/developers/announcements.tsx';
import { AdministratorDisclosure } from '#client/features/developers/disclosure-form.tsx';
import { Recalls } from '#client/features/developers/recalls.tsx';
import { AdministratorSecrets } from '#client/features/developers/secrets.tsx';

const dueDiligence = (toolId: string) => <AdministratorDisclosure toolId={toolId} />;
const announcements = ({ id, ownerName }: ManagedTool) => (
  <Announcements as="admin" toolId={id} mayAnnounce={ownerName === null} />
);
const recalls = (toolId: string) => <Recalls as="admin" toolId={toolId} />;
const secrets = (tool: ManagedTool) => <AdministratorSecrets tool={tool} />;

/** /admin/tools/:id */
export default function AdminToolPage({ params }: { params: Record<string, string> }) {
  return <ToolPage params={params} {...{ dueDiligence, announcements, recalls, secrets }} />;
}
