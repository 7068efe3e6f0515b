import { useSearchParams } from 'wouter';

/**
 * Page, search and filters of a list live in the address, so that a reload or a shared link shows the same. A new
 * search or filter starts at page one.
 */
export const useListAddress = () => {
  const [params, setParams] = useSearchParams();
  const page = Number(params.get('page'));
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    get: (name: string) => params.get(name) ?? '',
    openPage: (next: number) =>
      setParams((old) => {
        const changed = new URLSearchParams(old);
        if (next === 1) changed.delete('page');
        else changed.set('page', String(next));
        return changed;
      }),
    /** `replace` while somebody types, so that the history gets one entry. */
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
