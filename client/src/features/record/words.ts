import { formatDay } from '#client/lib/format.ts';

/** `12 min` */
export const lengthText = (seconds: number) => (seconds < 60 ? 'Under 1 min' : `${Math.round(seconds / 60)} min`);

export const personName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'Former adviser';

/** A calendar day of Sydney. */
export const dayText = (day: string) => formatDay(new Date(`${day}T00:00:00Z`));
