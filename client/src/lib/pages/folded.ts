import { tabStorage } from '#client/lib/session/tab-storage.ts';

/** What somebody unfolded stays so in this tab of the browser: the props of a `Fold`. */
export const foldedAs = (name: string) => {
  const kept = tabStorage(`adviserly-unfolded:${name}`);
  return {
    startsOpen: kept.read() !== null,
    onToggle: (open: boolean) => void (open ? kept.keep('yes') : kept.forget()),
  };
};
