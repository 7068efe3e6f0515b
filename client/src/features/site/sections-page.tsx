import { clsx } from 'clsx';
import { ChevronDown, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { AppLink, BackLink, Card } from '#client/ui/elements.tsx';

type Section = {
  id: string;
  title: string;
  body: ReactNode;
  /** Opened by a press. */ folded?: true;
  /** In two columns. */ wide?: true;
};
type Props = {
  title: string;
  lead: ReactNode;
  /** Between the heading and the sections. */
  summary?: ReactNode;
  numbered?: boolean;
  sections: readonly Section[];
};

/** The section that is being read: the last one that begins in the upper third of the window. */
const useSectionInSight = (sections: readonly Section[]) => {
  const [inSight, setInSight] = useState<string>();
  useEffect(() => {
    const look = () => {
      const begun = sections.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) < window.innerHeight / 3,
      );
      setInSight(begun.at(-1)?.id);
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [sections]);
  return inSight;
};

const Reading = ({ title, body, folded }: Section) => {
  const heading = <h2 className="text-lg">{title}</h2>;
  const text = <div className="mt-3 space-y-3">{body}</div>;
  return folded ? (
    <details className="group print:details-content:[content-visibility:visible]">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded [&::-webkit-details-marker]:hidden">
        {heading}
        <ChevronDown aria-hidden className="size-5 text-muted transition-transform group-open:rotate-180" />
      </summary>
      {text}
    </details>
  ) : (
    <>
      {heading}
      {text}
    </>
  );
};

/** A public page of text, with a list of its sections beside it. */
export const SectionsPage = ({ title, lead, summary, numbered = false, sections }: Props) => {
  useTitle(title);
  const inSight = useSectionInSight(sections);
  const named = sections.map((section, at) => ({
    ...section,
    title: numbered ? `${at + 1}. ${section.title}` : section.title,
  }));
  return (
    <div className="text-sm">
      <BackLink href={paths.home}>Back to Home</BackLink>
      <h1 className="text-2xl">{title}</h1>
      <div className="mt-2 text-base text-muted">{lead}</div>
      {summary}
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-8 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-label="Sections" className="screen-only max-lg:hidden lg:sticky lg:top-20">
          <ol className="border-l">
            {named.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  aria-current={id === inSight ? 'location' : undefined}
                  className={clsx(
                    '-ml-px block rounded-sm border-l-2 py-1 pl-4 hover:text-text hover:underline',
                    id === inSight ? 'border-primary font-medium text-text' : 'border-transparent text-muted',
                  )}
                >
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="space-y-10 text-base">
          {named.map((section) => (
            <section
              key={section.id}
              id={section.id}
              tabIndex={-1}
              aria-label={section.title}
              className={clsx(
                'scroll-mt-20',
                section.wide
                  ? 'lg:[&_ol]:grid lg:[&_ol]:grid-cols-2 lg:[&_ol]:gap-x-10 lg:[&_ul]:columns-2 lg:[&_ul]:gap-x-16 [&_ul>li]:break-inside-avoid'
                  : 'max-w-prose',
              )}
            >
              <Reading {...section} />
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

export const InShort = ({ points }: { points: readonly string[] }) => (
  <Card aria-label="In short" className="mt-6 border-primary! bg-primary-subtle! p-5 text-base">
    <p className="mb-2 font-semibold">In short</p>
    <Points points={points} />
  </Card>
);

type Tile = readonly [icon: LucideIcon, title: string, text: string, href: string];

/** What matters most, each with the section that says more. */
export const Tiles = ({ tiles }: { tiles: readonly Tile[] }) => (
  <ul className="mt-8 grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
    {tiles.map(([Icon, title, text, href]) => (
      <li key={title}>
        <Card className="relative h-full p-4 hover:border-control sm:p-5">
          <Icon aria-hidden className="size-5 text-primary" />
          <p className="mt-3 font-medium">
            <AppLink href={href} className="after:absolute after:inset-0 hover:underline">
              {title}
            </AppLink>
          </p>
          <p className="mt-1 text-pretty text-muted">{text}</p>
        </Card>
      </li>
    ))}
  </ul>
);
