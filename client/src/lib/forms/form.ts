import { useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import type * as z from 'zod';
import { ApiError, networkError, sentenceOf, somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { dismissErrors, toastError } from '#client/lib/words/toast.ts';

/** A function loads it for the form's first validation, so that the page starts without it. */
type Schema<Input, Output> = z.ZodType<Output, Input> | (() => Promise<z.ZodType<Output, Input>>);

export type FormOptions<Input extends FieldValues, Output, R> = {
  /** An endpoint's body, or a schema that contains it (such as one with a confirmation). */
  schema: Schema<Input, Output>;
  defaultValues: DefaultValues<Input>;
  /** `changed` has only what differs from what the form showed: what is left as it was must not undo another tab's change. */
  send: (values: Output, changed: Partial<Output>) => Promise<R>;
  /** Before `onDone`: what was typed is saved. */
  onSaved?: () => void;
  onDone?: (reply: R, values: Output) => unknown;
  /** Why it failed, if the server gives no reason. Shown in the form and in a toast; null shows no toast. */
  failure?: string | ((error: ApiError) => string) | null;
  /** Titles the toast; `Error` unless given. */
  failureTitle?: string;
  onFailure?: (error: ApiError) => unknown;
};

/** Without a connection there is only one reason, whatever was tried. */
const reasonOf = (error: ApiError, failure: FormOptions<FieldValues, unknown, unknown>['failure']) => {
  if (!failure || error.code === 'network' || error.code === 'cookies') return error.sentence;
  return typeof failure === 'function' ? failure(error) : sentenceOf(error, failure);
};

/** The first message among the errors of a list or group of fields. */
function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  for (const [name, value] of Object.entries(error)) {
    // `ref` is the DOM element, which would lead into the whole page.
    const found = name === 'ref' ? undefined : firstMessage(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What validates arrives with the first validation. If it or the schema cannot be loaded, validation passes with null, and submitting
 * reports the network error.
 */
const resolverOf =
  <Input extends FieldValues, Output>(schema: Schema<Input, Output>): Resolver<Input, unknown, Output | null> =>
  async (values, context, options) => {
    // They stay what they were at the press, whatever is typed until validation has arrived.
    const pressed = structuredClone(values);
    const resolver = async () => {
      const [{ zodResolver }, loaded] = await Promise.all([
        import('@hookform/resolvers/zod'),
        typeof schema === 'function' ? schema() : schema,
      ]);
      return zodResolver(loaded);
    };
    const validate = await resolver().catch(() => null);
    return validate ? validate(pressed, context, options) : { values: null, errors: {} };
  };

/**
 * A form with a schema of the contract. Validates on blur and on submit, not while somebody first types. The server's
 * field errors go to their fields, the first of which is focused; others become `formError`. Never submits twice.
 */
export const useApiForm = <Input extends FieldValues, Output, R>(options: FormOptions<Input, Output, R>) => {
  const {
    schema,
    defaultValues,
    send,
    onSaved,
    onDone,
    failure = somethingWentWrong,
    failureTitle,
    onFailure,
  } = options;
  const form = useForm<Input, unknown, Output | null>({
    mode: 'onTouched',
    defaultValues,
    resolver: resolverOf(schema),
  });
  const [formError, setFormError] = useState<string>();
  const { errors, isSubmitting } = form.formState;

  const landErrors = (error: ApiError) => {
    const names = Object.keys(form.getValues());
    const faults = Object.entries(error.fields);
    const rest: string[] = [];
    let focused = false;
    for (const [field, message] of faults) {
      const name = field.split('.')[0] ?? field;
      if (!names.includes(name)) rest.push(message);
      else {
        form.setError(name as Path<Input>, { type: 'server', message }, { shouldFocus: !focused });
        focused = true;
      }
    }
    setFormError(faults.length === 0 ? reasonOf(error, failure) : rest.join(' ') || undefined);
  };

  const { defaultValues: shown } = form.formState;
  const changedOf = (values: Output): Partial<Output> => {
    const now = form.getValues();
    const isChanged = ([name]: [string, unknown]) => JSON.stringify(now[name]) !== JSON.stringify(shown?.[name]);
    return Object.fromEntries(Object.entries(values as Record<string, unknown>).filter(isChanged)) as Partial<Output>;
  };

  const submit = form.handleSubmit(async (values) => {
    setFormError(undefined);
    try {
      if (values === null) throw networkError();
      const reply = await send(values, changedOf(values));
      onSaved?.();
      dismissErrors();
      await onDone?.(reply, values);
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      // session-ended.ts tells of these, and the draft brings back what was typed.
      if (fault.code === 'unauthorized' || fault.code === 'other_account') return;
      landErrors(fault);
      if (failure !== null) toastError(Object.values(fault.fields)[0] ?? reasonOf(fault, failure), failureTitle);
      onFailure?.(fault);
    }
  });

  return {
    ...form,
    onSubmit: (event?: React.SyntheticEvent) => {
      if (isSubmitting) event?.preventDefault();
      else void submit(event);
    },
    errorOf: (name: Path<Input>) => firstMessage(errors[name.split('.')[0] as keyof typeof errors]),
    formError,
    pending: isSubmitting,
  };
};
