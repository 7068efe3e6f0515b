/** How long a trial lasts. A file of its own, because a visitor's page needs nothing else of the rules. */
export const trialDays = { individual: 30, team: 45 } as const;
