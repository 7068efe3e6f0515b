import { clsx } from 'clsx';
import { CircleCheck, Link2Off } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Card, FormError } from '#client/ui/elements.tsx';

const tones = {
  primary: ['bg-primary-subtle text-primary', null],
  success: ['bg-success-subtle text-success', <CircleCheck key="success" />],
  danger: ['bg-danger-subtle text-danger', <Link2Off key="danger" />],
} as const;

export type Outcome = {
  tone: keyof typeof tones;
  /** Another icon than the tone's own. */
  icon?: ReactNode;
  title: string;
};

/** One outcome of a page opened from a mailed link; read out when it replaces another. */
export const OutcomePanel = ({
  tone,
  icon,
  title,
  action,
  children,
}: Outcome & { action: ReactNode; children: ReactNode }) => {
  const [look, usual] = tones[tone];
  return (
    <Card className="mx-auto mt-8 flex max-w-form flex-col items-center p-6 text-center text-sm sm:p-10">
      <span
        aria-hidden
        className={clsx('mb-4 flex size-12 items-center justify-center rounded-full [&_svg]:size-6', look)}
      >
        {icon ?? usual}
      </span>
      <div role="status" className="w-full">
        <h1 className="text-lg">{title}</h1>
        <div className="mt-2 text-muted">{children}</div>
      </div>
      <div className="mt-6">{action}</div>
    </Card>
  );
};

type PressProps = {
  icon: ReactNode;
  title: string;
  button: string;
  pendingLabel: string;
  pending: boolean;
  fault: string | false | null | undefined;
  onPress: () => void;
  children: ReactNode;
};

/** Asks for the press that uses a mailed link: mail scanners open links, too, and must change nothing. */
export const PressPanel = ({ icon, title, button, pendingLabel, pending, fault, onPress, children }: PressProps) => (
  <OutcomePanel
    tone="primary"
    icon={icon}
    title={title}
    action={
      <Button size="lg" pending={pending} pendingLabel={pendingLabel} onClick={onPress}>
        {button}
      </Button>
    }
  >
    <div>{children}</div>
    <FormError className="mt-4 text-left">{fault}</FormError>
  </OutcomePanel>
);
