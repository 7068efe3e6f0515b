import { type ReactNode, useId } from 'react';
import { Card } from '#client/ui/elements.tsx';

type Props = {
  title: string;
  rows: readonly (readonly [term: string, text: string])[];
  note?: string | null;
  more?: ReactNode;
};

/** Facts by their names, with a note below them and what follows, such as a link. */
export const Facts = ({ title, rows, note, more }: Props) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base">
        {title}
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
        {note && <p className="border-t py-3 text-muted">{note}</p>}
      </Card>
      {more && <p className="mt-2">{more}</p>}
    </section>
  );
};
