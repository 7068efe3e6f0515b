import { createContext, useContext, useLayoutEffect } from 'react';

/** The dialog provides it. It is in a file of its own, so that forms outside dialogs do without the dialog's code. */
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
