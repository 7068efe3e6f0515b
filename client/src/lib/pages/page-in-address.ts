/** The page of a list that the address names (`?page=`, or another parameter), else the first. */
export const pageIn = (search: URLSearchParams, name = 'page') => {
  const text = search.get(name) ?? '';
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
};

/** The address of that page of the list, on the page that is open. */
export const pageAddress = (path: string, search: URLSearchParams, name: string, page: number) => {
  const next = new URLSearchParams(search);
  if (page > 1) next.set(name, String(page));
  else next.delete(name);
  return next.size > 0 ? `${path}?${next}` : path;
};
