import { BadgeCheck, Briefcase, GraduationCap, ShieldCheck, UserRound } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { BusinessTab, PersonalTab, ProfessionalTab } from '#client/features/accounts/profile-tabs.tsx';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { profileIntro } from '#client/lib/pages/page-intros.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ButtonLink } from '#client/ui/button.tsx';
import { narrow, PageHeader } from '#client/ui/page-header.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const SecurityTab = laterPart(
  () => import('#client/features/accounts/security-tab.tsx'),
  <Loading label="Loading your security settings" skeletons={['h-96', 'mt-6 h-64']} />,
);

const tabs = [
  { value: 'personal', label: 'Personal Info', icon: <UserRound aria-hidden /> },
  { value: 'business', label: 'Business Info', icon: <Briefcase aria-hidden /> },
  { value: 'professional', label: 'Professional Info', icon: <GraduationCap aria-hidden /> },
  { value: 'security', label: 'Security', icon: <ShieldCheck aria-hidden /> },
] as const;

/** Stay mounted once opened, so that what was typed in one tab is kept while another is open. */
const forms = [
  ['personal', PersonalTab],
  ['business', BusinessTab],
  ['professional', ProfessionalTab],
] as const;

const badgesOf = (user: User) => (
  <>
    {user.emailVerified && (
      <Badge tone="success" icon={<BadgeCheck aria-hidden />}>
        Verified
      </Badge>
    )}
    {user.isAdmin && <Badge tone="primary">Administrator</Badge>}
  </>
);

/** /profile: each tab is saved by itself. */
export default function ProfilePage() {
  const { user } = useUser();
  const [tab, open] = useTabInAddress(tabs);
  const [opened, setOpened] = useState<readonly string[]>([tab]);
  if (!opened.includes(tab)) setOpened([...opened, tab]);
  useTitle(profileIntro.title);
  if (!user) {
    return (
      <PageHeader
        title="Profile Not Found"
        description="Please sign in to see your profile."
        action={<ButtonLink href={paths.auth}>Sign in</ButtonLink>}
      />
    );
  }
  return (
    <div className={narrow}>
      <PageHeader {...profileIntro} badges={badgesOf(user)} />
      <Tabs label="My Profile" tabs={tabs} value={tab} onValueChange={open}>
        {forms.map(([value, Form]) => (
          <TabPanel
            key={value}
            value={value}
            forceMount={opened.includes(value) || undefined}
            className="data-[state=inactive]:hidden"
          >
            <Form user={user} />
          </TabPanel>
        ))}
        <TabPanel value="security">
          <SecurityTab user={user} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
