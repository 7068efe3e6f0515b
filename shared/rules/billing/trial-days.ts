/** How long a trial lasts. A file of its own, because a visitor's page needs nothing else of the rules. */
export const trialDays = { individual: 30, team: 45 } as const;

/** What becomes of a trial, in the same words wherever a visitor reads of it. */
export const trialEnds = 'You need no card: without one, the trial simply ends.';
export const trialGoesOn = 'With a card on file it continues as a paid subscription; we email you before we charge.';
