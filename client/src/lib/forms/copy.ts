import { toastError } from '#client/lib/words/toast.ts';

/** Puts text on the clipboard; where the browser doesn't allow it, a toast says `otherwise`. Returns whether it did. */
export const copyText = async (text: string, otherwise: string) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toastError(`The browser did not allow copying. ${otherwise}`);
    return false;
  }
};
