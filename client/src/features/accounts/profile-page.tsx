import { BadgeCheck, Briefcase, GraduationCap, ShieldCheck, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { User } from '#shared/api/accounts.ts';
import { factsOf, fieldsOn, type ProfileTab, signUpFields } from '#shared/rules/people/profile.ts';
import { laterPart } from '#client/lib/pages/load-later.ts';
import { profileIntro } from '#client/lib/pages/page-intros.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { setUser, useUser } from '#client/lib/session/session.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Badge, Button, ButtonLink, narrow, PageHeader, Panel, TextLink, type Parts } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';
import { Form } from '#client/ui/form.tsx';
import { BusinessInputs, ProfileInput, shownOf, tabSchemas } from '#client/features/accounts/profile-form.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';

const saved: Record<ProfileTab, string> = {
  personal: 'Personal Information Updated',
  business: 'Business Information Updated',
  professional: 'Professional Information Updated',
};

/** The form of one tab: sends its own fields, then shows what was saved. */
const useTabForm = (user: User, tab: ProfileTab) => {
  const queryClient = useQueryClient();
  const form = useKeptForm({
    schema: tabSchemas[tab],
    defaultValues: shownOf(user, fieldsOn(tab)),
    draft: `profile-${tab}`,
    send: async (_all, body) => (Object.keys(body).length > 0 ? api.accounts.updateProfile({ body }) : user),
    onDone: (changed) => {
      setUser(queryClient, changed);
      form.reset(shownOf(changed, fieldsOn(tab)));
      toast({ title: saved[tab], description: 'Your changes were saved.' });
    },
    failure: 'Failed to update profile. Please try again.',
  });
  return form;
};

type FrameProps = {
  form: ReturnType<typeof useTabForm>;
  title: string;
  description: string;
  /** Why it can't be saved as it is; shown beside the button. */
  obstacle?: string | false;
  children: Parts;
};

const TabFrame = ({ form, title, description, obstacle, children }: FrameProps) => (
  <Panel title={title} description={description}>
    <Form form={form} label={title}>
      {children}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={Boolean(obstacle)} pending={form.pending} pendingLabel="Saving…">
          Save changes
        </Button>
        {obstacle && <p className="text-muted">{obstacle}</p>}
      </div>
    </Form>
  </Panel>
);

const PersonalTab = ({ user }: { user: User }) => {
  const form = useTabForm(user, 'personal');
  const others = fieldsOn('personal').filter((name) => !factsOf(name).atSignUp);
  return (
    <TabFrame form={form} title="Personal information" description="Who you are and how to reach you.">
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        {signUpFields.map((name) => (
          <ProfileInput key={name} form={form} name={name} />
        ))}
        <div className="pb-6 text-sm">
          <p className="font-medium">Email</p>
          <p className="mt-1.5 flex min-h-9 items-center justify-between gap-x-3 rounded border bg-surface-subtle px-3 max-sm:min-h-11">
            <span className="min-w-0 [overflow-wrap:anywhere]">{user.email}</span>
            <TextLink href={paths.security} aria-label="Change email" className="max-sm:py-3">
              Change
            </TextLink>
          </p>
        </div>
        {others.map((name) => (
          <ProfileInput key={name} form={form} name={name} />
        ))}
      </div>
    </TabFrame>
  );
};

export const BusinessTab = ({ user }: { user: User }) => {
  const form = useTabForm(user, 'business');
  return (
    <TabFrame form={form} title="Business information" description="Your practice, as it appears on your invoices.">
      <BusinessInputs form={form} />
    </TabFrame>
  );
};

const ProfessionalTab = ({ user }: { user: User }) => {
  const form = useTabForm(user, 'professional');
  const areas = useWatch({ control: form.control, name: 'specializationAreas' });
  const none = !Array.isArray(areas) || areas.length === 0;
  return (
    <TabFrame
      form={form}
      title="Professional information"
      description="Your credentials and the areas you advise on."
      obstacle={none && 'Please select at least one specialization area'}
    >
      <div className="space-y-6">
        {fieldsOn('professional').map((name) => (
          <ProfileInput key={name} form={form} name={name} />
        ))}
      </div>
    </TabFrame>
  );
};

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
