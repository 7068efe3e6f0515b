import { useSyncExternalStore } from 'react';

export type ToastInput = {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** Milliseconds; 5000 unless given. */
  duration?: number;
};
export type ToastState = ToastInput & { id: number; open: boolean };

/** A §9. */
const limit = 1;
const removeAfterMs = 1_000_000;

let toasts: readonly ToastState[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const change = (next: readonly ToastState[]) => {
  toasts = next;
  for (const listener of listeners) listener();
};

/** Closes a toast; it leaves the list later, so that its last words can still be read by assistive technology. */
export const dismissToast = (id: number) => {
  if (!toasts.some((each) => each.id === id && each.open)) return;
  change(toasts.map((each) => (each.id === id ? { ...each, open: false } : each)));
  setTimeout(() => change(toasts.filter((each) => each.id !== id)), removeAfterMs);
};

/** The one path of toasts. At most one shows at a time: a new one takes the place of the last. */
export const toast = (input: ToastInput) => {
  const id = ++lastId;
  change([{ ...input, id, open: true }, ...toasts].slice(0, limit));
  return { id, dismiss: () => dismissToast(id) };
};

export const currentToasts = () => toasts;

const none: readonly ToastState[] = [];

export const useToasts = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentToasts,
    () => none,
  );
