import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form';
import type * as z from 'zod';
import { ApiError } from '#client/lib/api-error.ts';

type Options<Input extends FieldValues, Output, R> = {
  /** An endpoint's body, or a form's schema that contains it (such as one with a confirmation). */
  schema: z.ZodType<Output, Input>;
  defaultValues: DefaultValues<Input>;
  send: (values: Output) => Promise<R>;
  onDone?: (reply: R, values: Output) => unknown;
  /** For the toast the specification asks for; the form shows `fields` and `formError` by itself. */
  onFailure?: (error: ApiError) => unknown;
};

/**
 * A form over a schema of the contract: checked on blur and on submit, never while first typing; the server's `fields`
 * land on their fields with the focus on the first; what belongs to no field is `formError`. Never sent twice.
 */
export const useApiForm = <Input extends FieldValues, Output, R>(options: Options<Input, Output, R>) => {
  const { schema, defaultValues, send, onDone, onFailure } = options;
  const form = useForm<Input, unknown, Output>({
    mode: 'onTouched',
    defaultValues,
    resolver: zodResolver(schema),
  });
  const [formError, setFormError] = useState<string>();
  const { errors, isSubmitting, isDirty } = form.formState;

  const landErrors = (error: ApiError) => {
    const names = Object.keys(form.getValues());
    const [known, rest] = [Object.entries(error.fields), [] as string[]];
    let focused = false;
    for (const [field, message] of known) {
      const name = field.split('.')[0] ?? field;
      if (!names.includes(name)) rest.push(message);
      else {
        form.setError(name as Path<Input>, { type: 'server', message }, { shouldFocus: !focused });
        focused = true;
      }
    }
    setFormError(known.length === 0 ? error.sentence : rest.join(' ') || undefined);
  };

  const submit = form.handleSubmit(async (values) => {
    setFormError(undefined);
    try {
      const reply = await send(values);
      await onDone?.(reply, values);
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      landErrors(fault);
      onFailure?.(fault);
    }
  });

  return {
    ...form,
    onSubmit: (event?: React.SyntheticEvent) => {
      if (isSubmitting) event?.preventDefault();
      else void submit(event);
    },
    /** The sentence beside a field. */
    errorOf: (name: Path<Input>): string | undefined => {
      const message = errors[name.split('.')[0] as keyof typeof errors]?.message;
      return typeof message === 'string' ? message : undefined;
    },
    formError,
    pending: isSubmitting,
    dirty: isDirty,
  };
};
