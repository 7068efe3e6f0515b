import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { shownPerson } from '#client/lib/calls/request.ts';
import { draftKey, outlivesPage, ownedBy, typed } from '#client/lib/forms/draft-storage.ts';
import { type FormOptions, useApiForm } from '#client/lib/forms/form.ts';
import { leaving } from '#client/lib/session/leaving.ts';
import { seal, unseal } from '#client/lib/session/seal.ts';
import { tabStorage } from '#client/lib/session/tab-storage.ts';
import { toast } from '#client/lib/words/toast.ts';

/** What the person whose page this is typed into the form of this name. The tab's storage holds it sealed by their key. */
const draftStorage = (form: string) => {
  const name = ownedBy(shownPerson()) + form;
  const sealed = tabStorage(name);
  const own = draftKey();
  return {
    /** Null, too, where another key sealed it. */
    read: async (): Promise<string | null> => {
      const stored = sealed.read();
      if (typed.has(name) || own === null || stored === null) return typed.get(name) ?? null;
      return unseal(own, stored).catch(() => null);
    },
    keep: (text: string) => {
      typed.set(name, text);
      if (own === null || !outlivesPage()) return;
      const store = (sealedText: string) => {
        if (typed.get(name) === text) sealed.keep(sealedText);
      };
      void seal(own, text).then(store, () => undefined);
    },
    forget: () => {
      typed.delete(name);
      sealed.forget();
    },
  };
};

type Values = Record<string, unknown>;

const readValues = (text: string | null): [string, unknown][] => {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as Values);
  } catch {
    return [];
  }
};

/** A field that nobody touched is empty in one of several ways. */
const textOf = (value: unknown) => {
  const text = JSON.stringify(value ?? '');
  return text === '[]' ? '""' : text;
};

/** What differs from what the form began with; a password is never kept. */
const typedIn = (values: Values, before: Values) =>
  Object.entries(values).filter(([name, value]) => !/password/i.test(name) && textOf(value) !== textOf(before[name]));

/**
 * Keeps what was typed into a form for the person who typed it, in this tab, when the page or the form goes away unsaved
 * (a reload, a session that ended, another page), and puts it back when the form is next shown.
 */
const useDraft = <I extends FieldValues, O>(form: UseFormReturn<I, unknown, O>, name: string) => {
  const [restored, setRestored] = useState(false);
  const before: RefObject<Values> = useRef({});
  const settled = useRef<string>(null);
  const notice = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    before.current = form.formState.defaultValues as Values;
  });

  const { getValues, setValue, reset, watch } = form;
  const settle = useCallback(() => {
    settled.current = JSON.stringify(getValues());
    draftStorage(name).forget();
    setRestored(false);
  }, [getValues, name]);

  useEffect(() => {
    clearTimeout(notice.current);
    const owner = shownPerson();
    const storage = draftStorage(name);
    let state: 'opening' | 'open' | 'gone' = 'opening';
    const keep = (): boolean => {
      if (state === 'opening') return false;
      const changes = typedIn(getValues(), before.current);
      const unsaved = changes.length > 0 && JSON.stringify(getValues()) !== settled.current && shownPerson() === owner;
      if (unsaved) storage.keep(JSON.stringify(Object.fromEntries(changes)));
      else storage.forget();
      return unsaved;
    };
    // A closed tab forgets what it kept, so the browser asks first.
    const warn = (event: BeforeUnloadEvent) => keep() && !(leaving() && outlivesPage()) && event.preventDefault();
    // Sealing takes a moment, which a page that goes away may not have.
    const watched = watch(() => void keep());
    const put = (kept: [string, unknown][]) => {
      if (state === 'gone') return;
      const now = new Map(typedIn(getValues(), before.current));
      for (const [field, value] of kept) {
        // Reading takes a moment: what was typed meanwhile is newer.
        if (now.has(field)) continue;
        setValue(field as Path<I>, value as PathValue<I, Path<I>>, { shouldDirty: true });
      }
      if (kept.length > 0) setRestored(true);
      state = 'open';
    };
    void storage.read().then((text) => put(readValues(text)));
    window.addEventListener('beforeunload', warn);
    return () => {
      watched.unsubscribe();
      window.removeEventListener('beforeunload', warn);
      const unsaved = keep();
      state = 'gone';
      // It waits, so that a form that React mounts again at once, as it does in development, can cancel it.
      if (unsaved)
        notice.current = setTimeout(() =>
          toast({
            title: 'Not saved yet',
            description: 'What you typed will be here when you come back.',
            variant: 'info',
          }),
        );
    };
  }, [name, getValues, setValue, watch]);

  const startOver = () => {
    reset();
    settle();
  };
  return { restored, settle, startOver };
};

type Kept<Input extends FieldValues, Output, R> = Omit<FormOptions<Input, Output, R>, 'onSaved'> & {
  /** Names what is kept until the form is saved. */
  draft: string;
};

/** A form as `useApiForm` makes it, whose unsaved text comes back. */
export const useKeptForm = <Input extends FieldValues, Output, R>({ draft, ...options }: Kept<Input, Output, R>) => {
  const saved = useRef<() => void>(undefined);
  const form = useApiForm({ ...options, onSaved: () => saved.current?.() });
  const { restored, settle, startOver } = useDraft(form, draft);
  useEffect(() => {
    saved.current = settle;
  });
  return {
    ...form,
    /** What was typed before has been put back. */
    restored,
    /** For Cancel: no draft is kept. */
    settle,
    startOver,
  };
};
