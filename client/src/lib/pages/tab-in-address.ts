import { useSearchParams } from 'wouter';

type Options = {
  /** Of the parameter: another for tabs within a tab. */
  name?: string;
  /** Parameters that stay when the tab changes. */
  keep?: readonly string[];
  /** Makes Back lead to the previous page, not to the previous tab. */
  replace?: boolean;
};

/** Keeps the open tab in the address, so that Back, a reload and a shared link show it. The first tab is left out. */
export const useTabInAddress = <Name extends string>(
  [first, ...others]: readonly [{ value: Name }, ...{ value: Name }[]],
  { name = 'tab', keep = [], replace = false }: Options = {},
) => {
  const [search, setSearch] = useSearchParams();
  const named = (params: URLSearchParams) => (others.find(({ value }) => value === params.get(name)) ?? first).value;
  const open = (tab: Name) => {
    const now = new URLSearchParams(window.location.search);
    // The open tab may be pressed again, or twice before the next render; the history gets one entry.
    if (tab === named(now)) return;
    const kept = keep.flatMap((each) => (now.has(each) ? [[each, now.get(each)!]] : []));
    setSearch([...kept, ...(tab === first.value ? [] : [[name, tab]])], { replace });
  };
  return [named(search), open] as const;
};
