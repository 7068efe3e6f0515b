import type { ReactNode } from 'react';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { brand, seller } from '#shared/brand.ts';
import { trainingLabels } from '#shared/rules/record/record.ts';
import { scopeLabels } from '#client/lib/words/scope-labels.ts';
import { Card } from '#client/ui/elements.tsx';

/** Who makes a tool, what it gets of an adviser, and where data goes. `more`: what follows, such as a link. */
export const MadeBy = ({
  isOurs,
  makerName,
  scopes,
  answers,
  more,
}: Pick<ToolDisclosure, 'isOurs' | 'makerName' | 'scopes' | 'answers'> & { more?: ReactNode }) => {
  const maker = isOurs ? seller().name : (answers.maker ?? makerName ?? 'Another company');
  const given = scopes.map((scope) => scopeLabels[scope].toLowerCase());
  const rows: [string, string][] = [
    ['Made by', isOurs ? maker : `${maker}, not ${brand.name}`],
    ['Gets of you', given.length > 0 ? `Your ${given.join(', ')}` : 'A number that says nothing about you'],
    ['Where data is kept', answers.dataLocation ?? 'Not given'],
    ['Trains a model with what you type', answers.training ? trainingLabels[answers.training] : 'Not given'],
  ];
  return (
    <section aria-labelledby="made-by">
      <h2 id="made-by" className="text-base">
        Who makes it, and what they get
      </h2>
      <Card className="mt-3 px-5 py-2">
        <dl className="divide-y">
          {rows.map(([term, text]) => (
            <div key={term} className="grid gap-1 py-3 sm:grid-cols-[12rem_minmax(0,1fr)] sm:gap-4">
              <dt className="text-muted">{term}</dt>
              <dd className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</dd>
            </div>
          ))}
        </dl>
        {!isOurs && (
          <p className="border-t py-3 text-muted">
            What you type into the tool goes to its maker. We sell it and sign you in; what they say here is theirs.
          </p>
        )}
      </Card>
      {more && <p className="mt-2">{more}</p>}
    </section>
  );
};
