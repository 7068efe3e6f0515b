import { Ellipsis } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import type { Acts } from '#client/features/admin/acts-menu.tsx';
import { LazyMenu } from '#client/lib/pages/lazy-menu.tsx';
import { Button } from '#client/ui/elements.tsx';

/** What can be done to somebody or something, behind one button. */
export const ActsButton = ({ trigger, acts }: { trigger: ReactElement<ComponentProps<'button'>>; acts: Acts }) => (
  <LazyMenu trigger={trigger} load={() => import('#client/features/admin/acts-menu.tsx')} give={{ acts }} />
);

/** The acts of one row, behind three dots. */
export const RowActs = ({ of, acts }: { of: string; acts: Acts }) => (
  <ActsButton
    trigger={
      <Button variant="ghost" size="icon" className="-my-1 -mr-2" aria-label={`Actions: ${of}`}>
        <Ellipsis aria-hidden />
      </Button>
    }
    acts={acts}
  />
);
