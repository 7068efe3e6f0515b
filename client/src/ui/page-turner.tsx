import type { ReactNode } from 'react';
import { ButtonLink, Text } from '#client/ui/elements.tsx';

type Props = { page: number; totalPages: number; to: (page: number) => string; children?: ReactNode };

/** Below a list, newest first: which page of it this is, what else there is to say of it, and the way to the others. */
export const PageTurner = ({ page, totalPages, to, children }: Props) => (
  <nav
    aria-label="Pages"
    className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t pt-4 text-muted print:border-0 print:pt-0"
  >
    <p className="figures">
      <Text>
        {totalPages > 1 && `Page ${page} of ${totalPages}`}
        {totalPages > 1 && children && ' · '}
      </Text>
      <Text>{children}</Text>
    </p>
    {totalPages > 1 && (
      <div className="screen-only flex gap-2">
        {page > 1 && (
          <ButtonLink variant="secondary" size="sm" rel="prev" href={to(page - 1)}>
            Newer
          </ButtonLink>
        )}
        {page < totalPages && (
          <ButtonLink variant="secondary" size="sm" rel="next" href={to(page + 1)}>
            Older
          </ButtonLink>
        )}
      </div>
    )}
  </nav>
);
