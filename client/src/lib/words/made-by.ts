import { brand, seller } from '#shared/brand.ts';
import { type Disclosure, trainingLabels } from '#shared/rules/record/record.ts';
import { scopeLabels, type ToolScope } from '#shared/rules/tools/tools.ts';

type Row = [term: string, text: string];
type Made = { isOurs: boolean; scopes: readonly ToolScope[]; answers: Pick<Disclosure, 'maker'> };

/** Who makes a tool, and what it is told about an adviser who opens it. */
export function madeBy({ isOurs, scopes, answers }: Made) {
  const given = scopes.map((scope) => scopeLabels[scope].toLowerCase());
  const rows: Row[] = [
    ['Made by', isOurs ? seller().name : `${answers.maker ?? 'Another company'}, not ${brand.name}`],
    ['Told about you', given.length > 0 ? `Your ${given.join(', ')}` : 'A number that says nothing about you'],
  ];
  const theirs =
    'What you type into the tool goes to its maker. We sell it and sign you in; what they say here is theirs.';
  return { title: 'Who makes it, and what they get', rows, note: isOurs ? null : theirs };
}

type Data = Pick<Disclosure, 'dataLocation' | 'training' | 'trainingDetails'>;

/** Where its maker says that data is kept, and whether inputs train a model. */
export const dataRows = ({ dataLocation, training, trainingDetails }: Data): Row[] => [
  ['Where data is kept', dataLocation ?? 'Not given'],
  [
    'Do inputs train a model?',
    training === null ? 'Not given' : [trainingLabels[training], trainingDetails].filter(Boolean).join('. '),
  ],
];
