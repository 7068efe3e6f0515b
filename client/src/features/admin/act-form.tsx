import type { ComponentProps, ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import type { Parts } from '#client/ui/elements.tsx';
import { Form, FormFooter, LongTextField, TextField } from '#client/ui/form.tsx';

/** For a form's `onDone`: closes it; a toast says what the server answered, below the title or above whom it is about. */
export const closeAndTell =
  (onClose: () => void, { title, about }: { title?: string | undefined; about?: string } = {}) =>
  ({ message }: { message: string }) => {
    onClose();
    toast(title === undefined ? { title: message, description: about } : { title, description: message });
  };

type Footer = ComponentProps<typeof FormFooter>;
type Props = Omit<Footer, 'form' | 'onCancel' | 'children'> & {
  form: ComponentProps<typeof Form>['form'] &
    Footer['form'] & {
      register(name: 'reason', options?: object): UseFormRegisterReturn;
      errorOf: (name: 'reason') => string | undefined;
    };
  label: string;
  reasonLabel?: string;
  /** Who reads the reason. */
  help: string;
  /** The reason may have several lines. */
  rows?: number;
  onClose: () => void;
  /** The label of the button that sends it. */
  button: ReactNode;
  /** Above the reason. */
  children?: Parts;
};

/** What an administrator does, with a reason. */
export const ActForm = (props: Props) => {
  const { form, label, reasonLabel = 'Reason', help, rows, onClose, button, className, children, ...footer } = props;
  const reason = { form, name: 'reason', label: reasonLabel, help } as const;
  return (
    <Form form={form} label={label} className={className ?? 'space-y-4'} autoComplete="off">
      {children}
      {rows === undefined ? <TextField {...reason} /> : <LongTextField {...reason} rows={rows} />}
      <FormFooter {...footer} form={form} onCancel={onClose}>
        {button}
      </FormFooter>
    </Form>
  );
};

/** What an act will do, before it is done. */
export const Preview = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className="figures list-disc space-y-1 rounded bg-surface-subtle py-3 pr-3 pl-8 text-sm">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

type Reason = { reason: string };
type ReasonProps = Omit<Props, 'form' | 'children'> & {
  schema: z.ZodType<Reason, Reason>;
  send: (body: Reason) => Promise<{ message: string }>;
  /** The toast's title; without it, that is the server's answer. */
  done?: string;
};

/** An act that needs nothing but the reason. */
export const ReasonForm = ({ schema, send, done, ...rest }: ReasonProps) => {
  const onDone = closeAndTell(rest.onClose, { title: done });
  const form = useApiForm({ schema, defaultValues: { reason: '' }, send, onDone });
  return <ActForm {...rest} form={form} />;
};
