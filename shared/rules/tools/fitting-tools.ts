import type { specializations } from '#shared/rules/people/accounts.ts';
import type { ReleasedTool } from './tools.ts';

type Area = (typeof specializations)[number];

/** The tools that serve each area of specialisation, the most useful first. */
export const toolsByArea: Record<Area, readonly ReleasedTool[]> = {
  'Wealth Management': ['risk-profile-ai', 'portfolio-ai', 'fact-find-ai'],
  'Retirement Planning': ['fact-find-ai', 'risk-profile-ai', 'pre-fill-ai'],
  'Investment Strategy': ['risk-profile-ai', 'portfolio-ai', 'share-advice-ai'],
  'Insurance & Risk Management': ['fact-find-ai', 'pre-fill-ai', 'file-note-ai'],
  'Tax Planning': ['fact-find-ai', 'file-note-ai', 'portfolio-ai'],
  'Estate Planning': ['fact-find-ai', 'file-note-ai', 'pre-fill-ai'],
  'SMSF Administration': ['pre-fill-ai', 'portfolio-ai', 'file-note-ai'],
  'Corporate Superannuation': ['pre-fill-ai', 'fact-find-ai', 'file-note-ai'],
  'Mortgage & Lending': ['pre-fill-ai', 'fact-find-ai', 'file-note-ai'],
  'Share Trading & Analysis': ['share-advice-ai', 'portfolio-ai', 'risk-profile-ai'],
  'Property Investment': ['risk-profile-ai', 'fact-find-ai', 'file-note-ai'],
  'Business Advisory': ['file-note-ai', 'fact-find-ai', 'pre-fill-ai'],
  'Financial Education': ['fact-find-ai', 'file-note-ai', 'risk-profile-ai'],
  'Debt Management': ['fact-find-ai', 'pre-fill-ai', 'file-note-ai'],
  'Cashflow Management': ['fact-find-ai', 'file-note-ai', 'pre-fill-ai'],
};

const shown = 3;

/** The three tools that fit these areas best, where fewer fit the first of the others; `wanted` comes first. */
export function fittingTools<T extends { id: string }>(
  tools: readonly T[],
  areas: readonly string[],
  wanted: string | null = null,
): T[] {
  const points = new Map<string, number>(wanted === null ? [] : [[wanted, Infinity]]);
  for (const area of areas) {
    const fit = toolsByArea[area as Area] ?? [];
    fit.forEach((id, at) => points.set(id, (points.get(id) ?? 0) + shown - at));
  }
  const pointsOf = ({ id }: T) => points.get(id) ?? 0;
  return tools.toSorted((a, b) => (pointsOf(a) === pointsOf(b) ? 0 : pointsOf(b) - pointsOf(a))).slice(0, shown);
}
