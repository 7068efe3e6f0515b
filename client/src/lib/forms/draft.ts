import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { draftStorage } from '#client/lib/forms/draft-storage.ts';
import { leaving } from '#client/lib/session/leaving.ts';
import { shownPerson } from '#client/lib/calls/request.ts';
import { toast } from '#client/lib/words/toast.ts';

type Values = Record<string, unknown>;

const readValues = (text: string | null): [string, unknown][] => {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as Values);
  } catch {
    return [];
  }
};

/** What differs from what the form began with; a password is never kept. */
const typedIn = (values: Values, before: Values) =>
  Object.entries(values).filter(
    ([name, value]) => !/password/i.test(name) && JSON.stringify(value) !== JSON.stringify(before[name]),
  );

/**
 * Keeps what was typed into a form for the person who typed it, in this tab, when the page or the form goes away unsaved
 * (a reload, a session that ended, another page), and puts it back when the form is next shown. A form without a name keeps nothing.
 */
export const useDraft = <I extends FieldValues, O>(form: UseFormReturn<I, unknown, O>, name: string | undefined) => {
  const [restored, setRestored] = useState(() => name !== undefined && draftStorage(name).read() !== null);
  const before: RefObject<Values> = useRef({});
  const settled = useRef<string>(null);
  const told = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    before.current = form.formState.defaultValues as Values;
  });

  const { getValues, setValue, reset } = form;
  const settle = useCallback(() => {
    settled.current = JSON.stringify(getValues());
    setRestored(false);
  }, [getValues]);

  useEffect(() => {
    if (name === undefined) return;
    clearTimeout(told.current);
    const owner = shownPerson();
    const storage = draftStorage(name);
    for (const [field, value] of readValues(storage.read())) {
      setValue(field as Path<I>, value as PathValue<I, Path<I>>, { shouldDirty: true });
    }
    const keep = (): boolean => {
      const typed = typedIn(getValues(), before.current);
      const unsaved = typed.length > 0 && JSON.stringify(getValues()) !== settled.current && shownPerson() === owner;
      if (unsaved) storage.keep(JSON.stringify(Object.fromEntries(typed)));
      else storage.forget();
      return unsaved;
    };
    // A closed tab forgets what it kept, so the browser asks first.
    const warn = (event: BeforeUnloadEvent) => keep() && !leaving() && event.preventDefault();
    window.addEventListener('pagehide', keep);
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('beforeunload', warn);
      // It waits, so that a form that React mounts again at once, as it does in development, can cancel it.
      if (keep())
        told.current = setTimeout(() =>
          toast({ title: 'Not saved yet', description: 'What you typed will be here when you come back.' }),
        );
    };
  }, [name, getValues, setValue]);

  const startOver = () => {
    reset();
    settle();
  };
  return { restored, settle, startOver };
};
