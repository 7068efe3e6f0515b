import { Building2, Mail, MessagesSquare, Phone, Siren } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { brand } from '#shared/brand.ts';
import { formatPhone } from '#shared/rules/australia.ts';
import { minute } from '#shared/rules/dates.ts';
import { type ContactTopic, isOpen, supportHours } from '#shared/rules/site.ts';
import { ContactForm, type ContactRequest } from '#client/features/site/contact-form.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** Looks at the clock again every minute. */
const useNow = () => {
  const [now, setNow] = useState(businessNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(businessNow()), minute);
    return () => clearInterval(timer);
  }, []);
  return now;
};

const mail = (address: string, subject: string) => `mailto:${address}?subject=${encodeURIComponent(subject)}`;

type WayProps = {
  icon: ReactNode;
  title: string;
  badge?: ReactNode;
  action: ReactNode;
  wide?: boolean;
  children: ReactNode;
};

const Way = ({ icon, title, badge, action, wide, children }: WayProps) => (
  <li className={wide ? 'lg:col-span-3' : 'lg:col-span-2'}>
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
      <p className="mt-4">{action}</p>
    </Card>
  </li>
);

const Open = ({ open }: { open: boolean }) =>
  open ? <Badge tone="success">Open now</Badge> : <Badge tone="neutral">Closed now</Badge>;

/** The five ways to reach us (B §2), and the form that chat and phone lead to. */
export const HelpSupport = ({ topic }: { topic: ContactTopic | null }) => {
  const [request, setRequest] = useState<ContactRequest | null>(topic && { topic });
  const now = useNow();
  const ask = (topic: ContactTopic, label: string) => (
    <Button variant="secondary" onClick={() => setRequest({ topic })}>
      {label}
    </Button>
  );
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-6">
        <Way
          icon={<MessagesSquare />}
          title="Live Chat"
          badge={<Open open={isOpen(supportHours.chat, now)} />}
          action={ask('Live chat request', 'Ask for a chat')}
        >
          <p>{supportHours.chat.label}</p>
          <p>Tell us what it is about, and a person of our team writes to you.</p>
        </Way>
        <Way
          icon={<Mail />}
          title="Email"
          action={
            <ButtonLink href={mail(brand.supportEmail, 'Support')} variant="secondary">
              Send Email
            </ButtonLink>
          }
        >
          <p>24-hour response</p>
          <p className="break-all">{brand.supportEmail}</p>
        </Way>
        <Way
          icon={<Phone />}
          title="Phone"
          badge={<Open open={isOpen(supportHours.phone, now)} />}
          action={ask('Call me back', 'Ask for a call')}
        >
          <p>{supportHours.phone.label}</p>
          <p>
            <TextLink href={`tel:${brand.phone}`}>{formatPhone(brand.phone)}</TextLink>
          </p>
        </Way>
        <Way
          icon={<Building2 />}
          wide
          title="Enterprise"
          action={
            <ButtonLink href={mail(brand.enterpriseEmail, 'Enterprise')} variant="secondary">
              Contact Enterprise Team
            </ButtonLink>
          }
        >
          <p>For practices and groups of 20 advisers or more: pricing, onboarding and training.</p>
        </Way>
        <Way
          icon={<Siren />}
          wide
          title="Emergency"
          action={
            <ButtonLink href={mail(brand.supportEmail, 'EMERGENCY')} variant="danger">
              Report Emergency
            </ButtonLink>
          }
        >
          <p>Somebody else is in your account, client data is at risk, or nothing works: we read these first.</p>
        </Way>
      </ul>
      <div className="mt-8">
        <ContactForm request={request} />
      </div>
    </>
  );
};
