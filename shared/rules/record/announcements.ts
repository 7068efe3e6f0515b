import { answerText, type Disclosure, questionLabels } from './disclosure.ts';

/** What of a tool may change so that practices have to hear of it before. */
export const announceable = ['version', 'model', 'dataLocation', 'subProcessors'] as const;
export type Announceable = (typeof announceable)[number];

/** Days between the announcement of a change and the change, unless it mends a fault. */
export const noticeDays = 14;

/** What each will be; null: it stays. */
export type AnnouncedChange = Record<Announceable, string | null>;

/** `onDay`: the Sydney day of an announced change; null where the maker's answers say it already. */
export type Difference = { about: Announceable; before: string | null; after: string; onDay: string | null };

type Announced = AnnouncedChange & { onDay: string };

/** What differs from these answers: what newer ones say, and what is announced, the last word on each. */
export function differencesFrom(
  reviewed: Disclosure | null,
  newest: Disclosure | null,
  announced: readonly Announced[],
): Difference[] {
  return announceable.flatMap((about) => {
    const said = (answers: Disclosure | null) => answers && answerText(answers, about);
    const before = said(reviewed);
    const coming = announced.findLast((one) => one[about] !== null);
    const after = coming?.[about] ?? said(newest);
    return after === null || after === before ? [] : [{ about, before, after, onDay: coming?.onDay ?? null }];
  });
}

/** "Model: A → B" */
export const differenceText = ({ about, before, after }: Difference) =>
  `${questionLabels[about]}: ${before === null ? '' : `${before} → `}${after}`;
