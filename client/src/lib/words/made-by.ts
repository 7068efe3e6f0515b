import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { brand, seller } from '#shared/brand.ts';
import { trainingLabels } from '#shared/rules/record/record.ts';
import { scopeLabels } from '#shared/rules/tools/tools.ts';

type Said = Pick<ToolDisclosure, 'isOurs' | 'makerName' | 'scopes' | 'answers'>;

/** Who makes a tool, what it gets of an adviser, and where data goes. */
export function madeBy({ isOurs, makerName, scopes, answers }: Said) {
  const maker = isOurs ? seller().name : (answers.maker ?? makerName ?? 'Another company');
  const given = scopes.map((scope) => scopeLabels[scope].toLowerCase());
  const rows: [string, string][] = [
    ['Made by', isOurs ? maker : `${maker}, not ${brand.name}`],
    ['Gets of you', given.length > 0 ? `Your ${given.join(', ')}` : 'A number that says nothing about you'],
    ['Where data is kept', answers.dataLocation ?? 'Not given'],
    ['Trains a model with what you type', answers.training ? trainingLabels[answers.training] : 'Not given'],
  ];
  const theirs =
    'What you type into the tool goes to its maker. We sell it and sign you in; what they say here is theirs.';
  return { title: 'Who makes it, and what they get', rows, note: isOurs ? null : theirs };
}
