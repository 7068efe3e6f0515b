import { ExternalLink } from 'lucide-react';
import type { BlockedLaunch } from '#client/features/tools/use-launch.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';

type Props = { open: boolean; blocked: BlockedLaunch | null; onClose: () => void };

/** Offers a link, which browsers never block. */
export default function BlockedDialog({ open, blocked, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Your browser blocked the new window"
      description={`Open ${blocked?.toolName ?? 'the tool'} with this link. To open tools directly next time, allow pop-ups for this site.`}
    >
      <DialogFooter>
        <ButtonLink href={blocked?.address ?? ''} target="_blank" rel="noopener noreferrer" onClick={onClose}>
          <ExternalLink aria-hidden />
          Open {blocked?.toolName}
        </ButtonLink>
      </DialogFooter>
    </Dialog>
  );
}
