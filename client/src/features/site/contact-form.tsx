import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { type ContactTopic, contactTopics } from '#shared/rules/site.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Card, CardBody, CardHeader, TextLink } from '#client/ui/elements.tsx';
import { Field, Input, Select, Textarea } from '#client/ui/field.tsx';
import { Form, TextField } from '#client/ui/form.tsx';

/** Set by a card above the form: presets the topic and focuses the message. A new object for each click. */
export type ContactRequest = { topic: ContactTopic };
type Props = { request: ContactRequest | null };

const Sent = ({ message, onAnother }: { message: string; onAnother: () => void }) => (
  <div className="flex flex-col items-center p-8 text-center">
    <CircleCheck aria-hidden className="size-8 text-success" />
    <p role="status" className="mt-3 max-w-prose">
      {message}
    </p>
    <Button ref={(button) => button?.focus()} variant="secondary" className="mt-5" onClick={onAnother}>
      Write another message
    </Button>
  </div>
);

/** It loads with its tab, since it brings the form library and the contract. */
export default function ContactForm({ request }: Props) {
  const { user } = useUser();
  const [sent, setSent] = useState<{ message: string; request: ContactRequest | null }>();
  // A new request from a card above replaces the thanks for the last message.
  const thanks = sent?.request === request ? sent?.message : undefined;
  const form = useKeptForm({
    schema: contract.site.contact.body,
    defaultValues: {
      name: user ? fullName(user) : '',
      email: user?.email ?? '',
      message: '',
    },
    draft: 'contact',
    send: (body) => api.site.contact({ body }),
    onDone: ({ message }) => {
      setSent({ message, request });
      toast({ title: 'Message Sent', description: message });
      form.resetField('message');
      // Who wrote, and about what, stays for the next message, but is no draft.
      form.settle();
    },
    failure: 'Failed to send your message. Please try again.',
  });
  const { register, errorOf, setValue, setFocus, pending } = form;

  useEffect(() => {
    if (!request) return;
    setValue('topic', request.topic, { shouldValidate: true });
    setFocus('message');
  }, [request, setValue, setFocus]);

  return (
    <Card className="mx-auto max-w-prose">
      <CardHeader title="Write to us" description="We reply by email within 24 hours." />
      {thanks ? (
        <Sent message={thanks} onAnother={() => setSent(undefined)} />
      ) : (
        <CardBody>
          <Form form={form} label="Write to us" className="space-y-2">
            <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
              <TextField form={form} name="name" label="Your name" autoComplete="name" />
              <Field label="Email" error={errorOf('email')}>
                <Input type="email" autoComplete="email" placeholder="you@practice.com.au" {...register('email')} />
              </Field>
            </div>
            <Field label="Topic" error={errorOf('topic')}>
              <Select options={contactTopics} placeholder="Choose a topic" {...register('topic')} />
            </Field>
            <Field label="Message" help="Please leave out client details." error={errorOf('message')}>
              <Textarea rows={6} {...register('message')} />
            </Field>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
              <Button type="submit" pending={pending} pendingLabel="Sending…">
                Send message
              </Button>
              <p className="text-xs text-muted">
                How we handle it is in our <TextLink href={paths.privacy}>privacy policy</TextLink>.
              </p>
            </div>
          </Form>
        </CardBody>
      )}
    </Card>
  );
}
