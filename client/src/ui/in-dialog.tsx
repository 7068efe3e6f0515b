import { clsx } from 'clsx';
import { type ComponentProps, createContext, useContext, useLayoutEffect } from 'react';

/** The dialog provides it. This file is apart, so that forms outside dialogs do without the dialog's code. */
export const DialogLock = createContext<(locked: boolean) => void>(() => undefined);

/** While true, Escape, the cross and a click outside do not close the dialog around this component, if there is one. */
export const useDialogLock = (locked: boolean) => {
  const lock = useContext(DialogLock);
  // Before the browser draws: whoever sees what came of the work can close the dialog.
  useLayoutEffect(() => {
    lock(locked);
    return () => lock(false);
  }, [lock, locked]);
};

/** Presses of Escape that a toast has left to the dialog under it. */
export const escapes = new WeakSet<Event>();

/** Buttons side by side on the right; on a phone stacked, with the main one on top. They stay in sight while a long dialog scrolls. */
export const DialogFooter = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    className={clsx(
      'sticky -bottom-6 -mx-6 mt-6 -mb-6 flex flex-col-reverse gap-2 border-t bg-surface px-6 py-4 sm:flex-row sm:justify-end',
      className,
    )}
  />
);
