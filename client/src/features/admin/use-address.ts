import { useSearchParams } from 'wouter';

/**
 * Tab, page, search and filters live in the address, so that a reload and a shared link show the same. Another tab
 * starts anew; another search or filter starts at the first page.
 */
export const useAddress = () => {
  const [params, setParams] = useSearchParams();
  const page = Number(params.get('page'));
  return {
    tab: params.get('tab') ?? '',
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    get: (name: string) => params.get(name) ?? '',
    openTab: (tab: string) => {
      // A press may tell of the same tab twice, before this is rendered again: one entry of the history.
      const now = new URLSearchParams(window.location.search).get('tab') ?? '';
      if (tab !== now) setParams(tab === '' ? {} : { tab });
    },
    openPage: (next: number) =>
      setParams((old) => {
        const changed = new URLSearchParams(old);
        if (next === 1) changed.delete('page');
        else changed.set('page', String(next));
        return changed;
      }),
    /** While somebody types, the history keeps one entry. */
    set: (values: Record<string, string>, replace = false) =>
      setParams(
        (old) => {
          const changed = new URLSearchParams(old);
          changed.delete('page');
          for (const [name, value] of Object.entries(values)) {
            if (value === '') changed.delete(name);
            else changed.set(name, value);
          }
          return changed;
        },
        { replace },
      ),
  };
};
