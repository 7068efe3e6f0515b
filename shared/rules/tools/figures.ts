/** Figures about fewer people are not shown to a tool's maker. */
export const fewestPeople = 5;
/** Days of sessions that a maker's figures count. */
export const figureDays = 90;

/** Null: it is about fewer people than may be shown. */
export const shownCount = (people: number): number | null => (people < fewestPeople ? null : people);

/** In whole percent; null where either figure is about too few people. */
export const shownShare = (part: { sessions: number; people: number }, sessions: number): number | null =>
  part.people < fewestPeople || sessions === 0 ? null : Math.round((part.sessions / sessions) * 100);
