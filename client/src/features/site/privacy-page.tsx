import { brand } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { privacySections } from '#client/features/site/privacy-sections.ts';
import { Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { TextLink } from '#client/ui/link.tsx';

/** Update this whenever the text changes. */
const lastUpdated = '22 November 2026';
const commissioner = 'https://www.oaic.gov.au/privacy/privacy-complaints';

const contact = (
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
  const sections = privacySections.map(({ id, title, intro, points }) => ({
    id,
    title,
    body: (
      <>
        {intro && <p>{intro}</p>}
        <Points points={points} />
        {id === 'security' && (
          <p>
            What else is done stands on our <TextLink href={paths.securityPage}>security page</TextLink>.
          </p>
        )}
      </>
    ),
  }));
  return (
    <SectionsPage
      title="Privacy Policy"
      lead={`Last updated ${lastUpdated}`}
      sections={[...sections, { id: 'contact', title: 'Contact & Policy Updates', body: contact }]}
    />
  );
}
