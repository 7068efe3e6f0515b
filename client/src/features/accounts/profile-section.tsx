import type { ReactNode } from 'react';
import { Card } from '#client/ui/card.tsx';

type Props = { id: string; title: string; description: string; children: ReactNode };

/** A part of a long form: what it is for at the left, its fields at the right. */
export const ProfileSection = ({ id, title, description, children }: Props) => (
  <div role="group" aria-labelledby={id} className="grid gap-x-10 gap-y-3 lg:grid-cols-[15rem_minmax(0,1fr)]">
    <div>
      <h2 id={id} className="text-base">
        {title}
      </h2>
      <p className="mt-1 text-muted">{description}</p>
    </div>
    <Card className="px-5 pt-5 pb-3">{children}</Card>
  </div>
);
