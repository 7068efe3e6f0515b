import { brand, seller } from '#shared/brand.ts';
import {
  answerText,
  type Disclosure,
  type Question,
  questionLabels,
  questions,
} from '#shared/rules/record/disclosure.ts';
import { scopeLabels, type ToolScope } from '#shared/rules/tools/tools.ts';

type Row = [term: string, text: string];
type Made = { isOurs: boolean; scopes: readonly ToolScope[]; answers: Pick<Disclosure, 'maker'> };

/** Who makes a tool, and what it is told about an adviser who opens it. */
export function madeBy({ isOurs, scopes, answers }: Made) {
  const given = scopes.map((scope) => scopeLabels[scope].toLowerCase());
  const rows: Row[] = [
    ['Made by', isOurs ? seller().name : `${answers.maker ?? 'Another company'}, not ${brand.name}`],
    [
      'What the tool receives about you',
      given.length > 0 ? `Your ${given.join(', ')}` : 'A number that says nothing about you',
    ],
  ];
  const theirs =
    'What you type into the tool goes to its maker. We sell it and sign you in. The answers here are the maker’s.';
  return { title: 'Who makes it, and what they get', rows, note: isOurs ? null : theirs };
}

/** Whose word its maker's answers are. */
export const suppliedBy = (isOurs: boolean, version: number | null, given: string) =>
  isOurs
    ? `${brand.name} makes this tool, and gave these answers on ${given} (version ${version}).`
    : `Supplied by the tool's maker (version ${version}, ${given}). Not verified by ${brand.name}.`;

/** What its maker answered, in words. */
export const answerRows = (answers: Disclosure, asked: readonly Question[]): Row[] =>
  asked.map((question) => [questionLabels[question], answerText(answers, question) ?? 'Not given']);

/** The questions that have an answer, and the labels of those without, as one row. */
export function answered(answers: Disclosure): { given: Question[]; missing: Row[] } {
  const given = questions.filter((question) => answerText(answers, question) !== null);
  const missing = questions.filter((question) => !given.includes(question)).map((question) => questionLabels[question]);
  return { given, missing: missing.length > 0 ? [['Not answered', missing.join(' · ')]] : [] };
}
