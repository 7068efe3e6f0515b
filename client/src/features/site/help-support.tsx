import {
  BookOpen,
  Building2,
  GraduationCap,
  Mail,
  MessagesSquare,
  MonitorPlay,
  Phone,
  Siren,
  Users,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { seller } from '#shared/brand.ts';
import { formatPhone } from '#shared/rules/australia.ts';
import { minute } from '#shared/rules/dates.ts';
import { type ContactTopic, isOpen, supportHours } from '#shared/rules/site.ts';
import type { ContactRequest } from '#client/features/site/contact-form.tsx';
import { mailto } from '#client/features/site/mailto.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { Badge, Button, ButtonLink, Card, TextLink } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const ContactForm = laterPart(
  () => import('#client/features/site/contact-form.tsx'),
  <Loading label="Loading the form" skeletons={['mx-auto h-160 max-w-prose']} />,
);

const useNow = () => {
  const [now, setNow] = useState(businessNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(businessNow()), minute);
    return () => clearInterval(timer);
  }, []);
  return now;
};

type HelpCardProps = {
  icon: ReactNode;
  title: string;
  badge?: ReactNode;
  action: ReactNode;
  className?: string;
  children: ReactNode;
};

const HelpCard = ({ icon, title, badge, action, className, children }: HelpCardProps) => (
  <li className={className}>
    <Card className="flex h-full flex-col p-5 text-sm">
      <div className="flex items-center gap-3">
        <span
          aria-hidden
          className="flex size-9 shrink-0 items-center justify-center rounded bg-primary-subtle text-primary [&_svg]:size-4"
        >
          {icon}
        </span>
        <h2 className="flex-1 text-base">{title}</h2>
        {badge}
      </div>
      <div className="mt-3 flex-1 space-y-1 text-muted">{children}</div>
      <div className="mt-4 flex flex-wrap gap-2">{action}</div>
    </Card>
  </li>
);

const Open = ({ open }: { open: boolean }) =>
  open ? <Badge tone="success">Open now</Badge> : <Badge tone="neutral">Closed now</Badge>;

/** Five ways to reach us; chat and phone lead to the contact form. */
export const HelpSupport = ({ topic }: { topic: ContactTopic | null }) => {
  const [request, setRequest] = useState<ContactRequest | null>(topic && { topic });
  const now = useNow();
  const ask = (topic: ContactTopic, label: string) => (
    <Button variant="secondary" onClick={() => setRequest({ topic })}>
      {label}
    </Button>
  );
  const write = (address: string, subject: string, label: string, variant: 'secondary' | 'danger' = 'secondary') => (
    <ButtonLink href={mailto(address, subject)} variant={variant}>
      {label}
    </ButtonLink>
  );
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-6">
        <HelpCard
          icon={<MessagesSquare />}
          className="lg:col-span-2"
          title="Live Chat"
          action={ask('Live chat request', 'Message us')}
        >
          <p>{supportHours.chat.label}</p>
          <p>Send us a message and we&apos;ll reply by email.</p>
        </HelpCard>
        <HelpCard
          className="lg:col-span-2"
          icon={<Mail />}
          title="Email"
          action={write(seller().supportEmail, 'Support', 'Send Email')}
        >
          <p>24-hour response</p>
          <p className="break-all">{seller().supportEmail}</p>
        </HelpCard>
        <HelpCard
          icon={<Phone />}
          className="lg:col-span-2"
          title="Phone"
          badge={<Open open={isOpen(supportHours.phone, now)} />}
          action={ask('Call me back', 'Ask for a call')}
        >
          <p>{supportHours.phone.label}</p>
          <p>
            <TextLink href={`tel:${seller().phone}`}>{formatPhone(seller().phone)}</TextLink>
          </p>
        </HelpCard>
        <HelpCard
          icon={<Building2 />}
          className="lg:col-span-3"
          title="Enterprise"
          action={write(seller().enterpriseEmail, 'Enterprise', 'Contact Enterprise Team')}
        >
          <p>For practices and groups of 20 advisers or more: pricing, onboarding and training.</p>
        </HelpCard>
        <HelpCard
          icon={<Siren />}
          className="lg:col-span-3"
          title="Emergency"
          action={write(seller().supportEmail, 'EMERGENCY', 'Report Emergency', 'danger')}
        >
          <p>Account compromised, data at risk or service down? We respond first.</p>
        </HelpCard>
      </ul>
      <div className="mt-8">
        <ContactForm request={request} />
      </div>
    </>
  );
};

type ResourcesProps = { onFaq: () => void; onGuides: () => void; onTraining: () => void };
export const HelpResources = ({ onFaq, onGuides, onTraining }: ResourcesProps) => {
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      <HelpCard
        icon={<BookOpen />}
        title="Documentation"
        action={
          <>
            {button('Browse help articles', onFaq)}
            <ButtonLink href="/api/docs" variant="secondary">
              Makers’ guide
            </ButtonLink>
          </>
        }
      >
        How everything works, by topic. Makers of tools find every call they need in their own guide.
      </HelpCard>
      <HelpCard icon={<MonitorPlay />} title="Video Tutorials" action={button('Open the guides', onGuides)}>
        Step-by-step guides to everything, to read at your own pace.
      </HelpCard>
      <HelpCard icon={<GraduationCap />} title="Training" action={button('Ask for training', onTraining)}>
        New to the tools, or bringing in a whole practice? Tell us what you would like to learn.
      </HelpCard>
      <HelpCard icon={<Users />} title="Community" action={button('What others ask', onFaq)}>
        The questions advisers ask us most, answered. Can’t find an answer? Contact us on the Support tab.
      </HelpCard>
    </ul>
  );
};
