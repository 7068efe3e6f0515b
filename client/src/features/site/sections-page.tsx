import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/elements.tsx';

type Props = {
  title: string;
  lead: ReactNode;
  /** `parts`: its headings, for the list. */
  sections: readonly { id: string; title: string; parts?: readonly { id: string; title: string }[]; body: ReactNode }[];
};

const Place = ({ id, title }: { id: string; title: string }) => (
  <a href={`#${id}`} className="rounded-sm text-muted hover:text-text hover:underline">
    {title}
  </a>
);

/** A public page of text, with a list of its sections beside it. */
export const SectionsPage = ({ title, lead, sections }: Props) => {
  useTitle(title);
  return (
    <div className="mx-auto max-w-[64rem] text-sm">
      <ButtonLink href={paths.home} variant="ghost" size="sm" className="mb-4 -ml-3">
        <ArrowLeft aria-hidden />
        Back to Home
      </ButtonLink>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-2 text-muted">{lead}</p>
      <div className="mt-8 grid items-start gap-x-12 gap-y-8 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <nav aria-label="Sections" className="screen-only lg:sticky lg:top-20">
          <ol className="space-y-2 border-l pl-4">
            {sections.map((section) => (
              <li key={section.id}>
                <Place {...section} />
                {section.parts && (
                  <ol className="mt-2 space-y-1.5 pl-4 text-xs max-lg:columns-2">
                    {section.parts.map((part) => (
                      <li key={part.id}>
                        <Place {...part} />
                      </li>
                    ))}
                  </ol>
                )}
              </li>
            ))}
          </ol>
        </nav>
        <div className="max-w-prose space-y-10 text-base">
          {sections.map((section) => (
            <section key={section.id} id={section.id} tabIndex={-1} aria-label={section.title} className="scroll-mt-20">
              <h2 className="text-lg">{section.title}</h2>
              <div className="mt-3 space-y-3">{section.body}</div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
};

export const Points = ({ points }: { points: readonly string[] }) => (
  <ul className="list-disc space-y-2 pl-5 marker:text-muted">
    {points.map((point) => (
      <li key={point}>{point}</li>
    ))}
  </ul>
);
