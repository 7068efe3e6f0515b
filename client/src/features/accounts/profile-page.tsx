import { BadgeCheck, Briefcase, GraduationCap, ShieldCheck, UserRound } from 'lucide-react';
import { useSearchParams } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import { BusinessTab } from '#client/features/accounts/business-tab.tsx';
import { PersonalTab } from '#client/features/accounts/personal-tab.tsx';
import { ProfessionalTab } from '#client/features/accounts/professional-tab.tsx';
import { SecurityTab } from '#client/features/accounts/security-tab.tsx';
import { paths } from '#client/lib/paths.ts';
import { useUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'personal', label: 'Personal Info', icon: <UserRound aria-hidden /> },
  { value: 'business', label: 'Business Info', icon: <Briefcase aria-hidden /> },
  { value: 'professional', label: 'Professional Info', icon: <GraduationCap aria-hidden /> },
  { value: 'security', label: 'Security', icon: <ShieldCheck aria-hidden /> },
] as const;
type TabName = (typeof tabs)[number]['value'];
const [firstTab] = tabs;

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

/** /profile (A §2): each tab is saved by itself, and what was typed in another one waits there. */
export default function ProfilePage() {
  const { user } = useUser();
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? firstTab.value;
  useTitle('My Profile');
  const open = (next: TabName) => {
    // A press may tell of the same tab twice, before this is rendered again: one entry of the history.
    const now = new URLSearchParams(window.location.search).get('tab') ?? firstTab.value;
    if (next !== now) setSearch(next === firstTab.value ? {} : { tab: next });
  };
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
    <div className="mx-auto max-w-[56rem] max-sm:pb-12">
      <PageHeader title="My Profile" description="What we know of you and your practice." badges={badgesOf(user)} />
      <Tabs label="My Profile" tabs={tabs} value={tab} onValueChange={open}>
        <TabPanel value="personal" forceMount className="data-[state=inactive]:hidden">
          <PersonalTab user={user} />
        </TabPanel>
        <TabPanel value="business" forceMount className="data-[state=inactive]:hidden">
          <BusinessTab user={user} />
        </TabPanel>
        <TabPanel value="professional" forceMount className="data-[state=inactive]:hidden">
          <ProfessionalTab user={user} />
        </TabPanel>
        <TabPanel value="security">
          <SecurityTab user={user} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
