/** The page of a list that `?page=` names, else the first. */
export const pageIn = (search: URLSearchParams) => {
  const text = search.get('page') ?? '';
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
};
