import { ArrowLeft } from 'lucide-react';
import { brand } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { privacySections } from '#client/features/site/privacy-sections.ts';
import { paths } from '#client/lib/paths.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** Update this with the text. */
const lastUpdated = '21 November 2026';
const contact = { id: 'contact', title: 'Contact & Policy Updates' };
const commissioner = 'https://www.oaic.gov.au/privacy/privacy-complaints';

const Contact = () => (
  <>
    <p>
      For questions, requests and complaints about privacy, write to{' '}
      <TextLink href={`mailto:${brand.privacyEmail}`}>{brand.privacyEmail}</TextLink>; anything else at{' '}
      <TextLink href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</TextLink>. We are {brand.sellerName}, ABN{' '}
      <span className="figures whitespace-nowrap">{formatAbn(brand.sellerAbn)}</span>.
    </p>
    <p>
      If our answer doesn&apos;t satisfy you, the privacy commissioner at the{' '}
      <TextLink href={commissioner} target="_blank" rel="noreferrer">
        Office of the Australian Information Commissioner
      </TextLink>{' '}
      (OAIC, 1300 363 992) takes complaints.
    </p>
    <p>When this policy changes, its date changes with it, and we write to you before a change that matters to you.</p>
  </>
);

/** /privacy, for everybody. */
export default function PrivacyPage() {
  useTitle('Privacy Policy');
  return (
    <div className="mx-auto max-w-[64rem] text-sm">
      <ButtonLink href={paths.home} variant="ghost" size="sm" className="mb-4 -ml-3">
        <ArrowLeft aria-hidden />
        Back to Home
      </ButtonLink>
      <h1 className="text-2xl">Privacy Policy</h1>
      <p className="mt-2 text-muted">Last updated {lastUpdated}</p>
      <div className="mt-8 grid items-start gap-x-12 gap-y-8 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <nav aria-label="Sections" className="screen-only lg:sticky lg:top-20">
          <ol className="space-y-2 border-l pl-4">
            {[...privacySections, contact].map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="rounded-sm text-muted hover:text-text hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="max-w-prose space-y-10 text-base">
          {privacySections.map(({ id, title, intro, points }) => (
            <section key={id} id={id} tabIndex={-1} aria-label={title}>
              <h2 className="text-lg">{title}</h2>
              {intro && <p className="mt-3">{intro}</p>}
              <ul className="mt-3 list-disc space-y-2 pl-5 marker:text-muted">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </section>
          ))}
          <section id={contact.id} tabIndex={-1} aria-label={contact.title} className="space-y-3">
            <h2 className="text-lg">{contact.title}</h2>
            <Contact />
          </section>
        </div>
      </div>
    </div>
  );
}
