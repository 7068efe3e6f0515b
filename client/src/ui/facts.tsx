import { type ReactNode, useId } from 'react';
import { Card } from '#client/ui/elements.tsx';

type Row = readonly [term: string, text: string];
type Props = {
  title: string;
  rows: readonly Row[];
  /** How many stand there at first; the rest unfold. */
  shown?: number;
  note?: string | null;
  more?: ReactNode;
};

const List = ({ rows }: { rows: readonly Row[] }) => (
  <dl className="divide-y">
    {rows.map(([term, text]) => (
      <div key={term} className="grid gap-1 py-3 sm:grid-cols-[12rem_minmax(0,1fr)] sm:gap-4">
        <dt className="text-muted">{term}</dt>
        <dd className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</dd>
      </div>
    ))}
  </dl>
);

/** Facts by their names, with a note below them and what follows, such as a link. */
export const Facts = ({ title, rows, shown = rows.length, note, more }: Props) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="text-sm">
      <h2 id={id} className="text-base">
        {title}
      </h2>
      <Card className="mt-3 px-5 py-2">
        <List rows={rows.slice(0, shown)} />
        {rows.length > shown && (
          <details className="border-t">
            <summary className="my-3 max-sm:my-0">All answers</summary>
            <List rows={rows.slice(shown)} />
          </details>
        )}
        {note && <p className="border-t py-3 text-muted">{note}</p>}
      </Card>
      {more && <p className="mt-2">{more}</p>}
    </section>
  );
};
