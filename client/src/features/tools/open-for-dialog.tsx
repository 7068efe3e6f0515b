import type { Tool } from '#shared/api/tools.ts';
import { OpenForForm } from '#client/features/tools/open-for-form.tsx';
import type { Launching } from '#client/features/tools/use-launch.ts';
import { Dialog } from '#client/ui/dialog.tsx';

type Props = { open: boolean; tool: Tool | null; launching: Launching; onClose: () => void };

/** The tool is told the file number and the purpose, and its session has both from the start. */
export default function OpenForDialog({ open, tool, launching, onClose }: Props) {
  return (
    tool && (
      <Dialog
        open={open}
        onClose={onClose}
        title={`Open ${tool.name} for a client`}
        description="The tool is told the file number and the purpose. Both go into the record of AI use."
      >
        <OpenForForm key={tool.id} tool={tool} launching={launching} onDone={onClose} onCancel={onClose} />
      </Dialog>
    )
  );
}
