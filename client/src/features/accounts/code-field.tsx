import type { ComponentProps } from 'react';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

type Props = ComponentProps<'input'> & { app: boolean; error: string | undefined; help?: string };

/** A code from an authenticator app, or a recovery code in its place. */
export const CodeField = ({ app, error, help = 'Six digits from your app, or a recovery code', ...rest }: Props) => (
  <Field label={app ? 'Code' : 'Recovery code'} error={error} help={app ? help : undefined}>
    <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} {...rest} />
  </Field>
);
