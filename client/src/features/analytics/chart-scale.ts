/** The top of an axis whose top and middle are whole numbers: 2, 4, 6, 10, 20, 40 … */
export const niceTop = (most: number) => {
  const steps = [2, 4, 6, 10];
  for (let scale = 1; ; scale *= 10) {
    const top = steps.find((step) => step * scale >= most);
    if (top) return top * scale;
  }
};

const day = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndWeekday = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

const noon = (date: string) => new Date(`${date}T12:00:00Z`);

/** `2026-11-21` as `21 Nov`. */
export const dayText = (date: string) => day.format(noon(date));
/** `2026-11-21` as `Sat, 21 Nov`. */
export const weekdayText = (date: string) => dayAndWeekday.format(noon(date));

export const sessionsText = (count: number) => `${count} session${count === 1 ? '' : 's'}`;
