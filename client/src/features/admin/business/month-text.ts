const long = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en-AU', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const first = (month: string) => new Date(`${month}-01T12:00:00Z`);

/** `2026-11` as `November 2026`. */
export const monthText = (month: string) => long.format(first(month));
/** `2026-11` as `Nov 26`. */
export const shortMonthText = (month: string) => short.format(first(month));
