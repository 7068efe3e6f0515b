import { BookOpen, GraduationCap, MonitorPlay, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';

type Props = { onFaq: () => void; onGuides: () => void; onTraining: () => void };
type ResourceProps = { icon: ReactNode; title: string; action: ReactNode; children: ReactNode };

const Resource = ({ icon, title, action, children }: ResourceProps) => (
  <li>
    <Card className="flex h-full gap-4 p-5 text-sm" aria-label={title}>
      <span
        aria-hidden
        className="flex size-9 shrink-0 items-center justify-center rounded bg-primary-subtle text-primary [&_svg]:size-4"
      >
        {icon}
      </span>
      <div className="flex min-w-0 flex-1 flex-col">
        <h2 className="text-base">{title}</h2>
        <p className="mt-1 flex-1 text-muted">{children}</p>
        <p className="mt-4 flex flex-wrap gap-2">{action}</p>
      </div>
    </Card>
  </li>
);

export const HelpResources = ({ onFaq, onGuides, onTraining }: Props) => {
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      <Resource
        icon={<BookOpen />}
        title="Documentation"
        action={
          <>
            {button('Browse help articles', onFaq)}
            <ButtonLink href="/api/docs" variant="secondary">
              Developers’ guide
            </ButtonLink>
          </>
        }
      >
        How everything works, by topic. Developers of tools find every call they need in their own guide.
      </Resource>
      <Resource icon={<MonitorPlay />} title="Video Tutorials" action={button('Open the guides', onGuides)}>
        There are no recordings yet. The step-by-step guides cover the same ground, to read at your own pace.
      </Resource>
      <Resource icon={<GraduationCap />} title="Training" action={button('Ask for training', onTraining)}>
        New to the tools, or bringing in a whole practice? Tell us what you would like to learn.
      </Resource>
      <Resource icon={<Users />} title="Community" action={button('What others ask', onFaq)}>
        The questions advisers ask us most, answered. Yours is missing? Write to us on the Support tab.
      </Resource>
    </ul>
  );
};
