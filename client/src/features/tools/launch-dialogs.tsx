import type { Launching } from '#client/features/tools/use-launch.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';

const [BlockedDialog] = lazyDialog(() => import('#client/features/tools/blocked-dialog.tsx'));
const [OpenForDialog] = lazyDialog(() => import('#client/features/tools/open-for-form.tsx'));

/** What opening a tool may ask: for which client, and a link where its window was blocked. */
export const LaunchDialogs = ({ launching }: { launching: Launching }) => {
  const { asked, closeAsked, blocked, closeBlocked } = launching;
  return (
    <>
      <OpenForDialog
        open={asked?.open ?? false}
        tool={asked?.tool ?? null}
        launching={launching}
        onClose={closeAsked}
      />
      <BlockedDialog open={blocked?.open ?? false} blocked={blocked} onClose={closeBlocked} />
    </>
  );
};
