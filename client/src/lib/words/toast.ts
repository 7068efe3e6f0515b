import { createStore } from '#client/lib/session/store.ts';

type ToastInput = {
  title: string;
  description?: string;
  /** A success unless given; 'info' for what is neither done nor failed. */
  variant?: 'default' | 'info' | 'destructive';
  /** Milliseconds; 5000 unless given. */
  duration?: number;
};
type ToastState = ToastInput & { id: number; open: boolean };

const limit = 1;
const removeAfterMs = 1_000_000;

const toasts = createStore<readonly ToastState[]>([]);
export const useToasts = toasts.use;
export const currentToasts = toasts.get;
let lastId = 0;
let last = false;

/** Closes a toast. It is removed later, so that assistive technology can still read it. */
export const dismissToast = (id: number) => {
  if (!toasts.get().some((each) => each.id === id && each.open)) return;
  toasts.set(toasts.get().map((each) => (each.id === id ? { ...each, open: false } : each)));
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), removeAfterMs);
};

/** Shows a toast, which replaces the last one. */
export const toast = (input: ToastInput) => {
  const id = ++lastId;
  if (!last) toasts.set([{ ...input, id, open: true }, ...toasts.get()].slice(0, limit));
  return { id, dismiss: () => dismissToast(id) };
};

/** For when what went wrong has been put right. */
export const dismissErrors = () => {
  for (const { id, variant } of toasts.get()) if (variant === 'destructive') dismissToast(id);
};

/** For a page about to be left: no other toast follows, since whatever fails from now on has this one reason. */
export const lastToast = (input: ToastInput) => {
  toast(input);
  last = true;
};

export const toastError = (description: string, title = 'Error') =>
  toast({ title, description, variant: 'destructive' });
