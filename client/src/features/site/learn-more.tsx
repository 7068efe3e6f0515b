import { lazy, Suspense, useState } from 'react';
import type { OfferedTool } from '#client/features/site/offer-figures.ts';

/** The dialog's code comes when a button of it is near being pressed; a failed early load is told when it is. */
export const loadToolDialog = () => import('#client/features/site/tool-dialog.tsx');
const ToolDialog = lazy(async () => ({ default: (await loadToolDialog()).ToolDialog }));

/** The dialog of the tool that was asked about; it keeps its words while it closes. */
export const LearnMore = ({ tool, onClose }: { tool: OfferedTool | undefined; onClose: () => void }) => {
  const [last, setLast] = useState(tool);
  if (tool && tool !== last) setLast(tool);
  const shown = tool ?? last;
  return (
    shown && (
      <Suspense>
        <ToolDialog tool={shown} open={tool !== undefined} onClose={onClose} />
      </Suspense>
    )
  );
};
