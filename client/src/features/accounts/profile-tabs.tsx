import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { ReactNode } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { factsOf, fieldsOn, type ProfileTab, signUpFields } from '#shared/rules/people/profile.ts';
import { BusinessInputs, ProfileInput, shownOf, tabSchemas } from '#client/features/accounts/profile-form.tsx';
import { api } from '#client/lib/calls/api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { setUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Field, Form, Input } from '#client/ui/form.tsx';
import { TextLink } from '#client/ui/link.tsx';

const saved: Record<ProfileTab, string> = {
  personal: 'Personal Information Updated',
  business: 'Business Information Updated',
  professional: 'Professional Information Updated',
};

/** The form of one tab: sends its own fields, then shows what was saved. */
const useTabForm = (user: User, tab: ProfileTab) => {
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: tabSchemas[tab],
    defaultValues: shownOf(user, fieldsOn(tab)),
    draft: `profile-${tab}`,
    send: (body) => api.accounts.updateProfile({ body }),
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
  children: ReactNode;
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

export const PersonalTab = ({ user }: { user: User }) => {
  const form = useTabForm(user, 'personal');
  const others = fieldsOn('personal').filter((name) => !factsOf(name).atSignUp);
  return (
    <TabFrame form={form} title="Personal information" description="Who you are and how to reach you.">
      <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
        {signUpFields.map((name) => (
          <ProfileInput key={name} form={form} name={name} />
        ))}
        <Field
          label="Email"
          help={
            <>
              You sign in with it. Change it under <TextLink href={paths.security}>Security</TextLink>.
            </>
          }
        >
          <Input
            type="email"
            autoComplete="email"
            readOnly
            value={user.email}
            className="bg-surface-subtle text-muted"
          />
        </Field>
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

export const ProfessionalTab = ({ user }: { user: User }) => {
  const form = useTabForm(user, 'professional');
  const areas = useWatch({ control: form.control, name: 'specializationAreas' });
  const none = !Array.isArray(areas) || areas.length === 0;
  return (
    <TabFrame
      form={form}
      title="Professional information"
      description="Your credentials and the areas you advise on."
      obstacle={none && 'Please select at least one specialisation area'}
    >
      <div className="space-y-6">
        {fieldsOn('professional').map((name) => (
          <ProfileInput key={name} form={form} name={name} />
        ))}
      </div>
    </TabFrame>
  );
};
