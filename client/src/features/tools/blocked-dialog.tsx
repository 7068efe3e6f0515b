import { ExternalLink } from 'lucide-react';
import type { BlockedLaunch } from '#client/features/tools/use-launch.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';

type Props = { blocked: BlockedLaunch | null; onClose: () => void };

/** The browser blocked the window: a link is always allowed. */
export const BlockedDialog = ({ blocked, onClose }: Props) => (
  <Dialog
    open={blocked?.open ?? false}
    onOpenChange={(open) => !open && onClose()}
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
