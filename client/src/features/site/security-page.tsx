import { useEffect } from 'react';
import { brand } from '#shared/brand.ts';
import { claimsAbout } from '#shared/rules/claims.ts';
import { Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { securitySections } from '#client/features/site/security-sections.ts';
import { claimsMade } from '#client/lib/session/claims.ts';
import { TextLink } from '#client/ui/link.tsx';

const report = (
  <>
    <p>
      Have you found a weakness? Please write to{' '}
      <TextLink href={`mailto:${brand.supportEmail}?subject=Security`}>{brand.supportEmail}</TextLink>: what you did,
      what you saw, and how we can see it too.
    </p>
    <p>
      Please don’t read, change or keep what belongs to other people, and give us the time to mend it before you tell
      others.
    </p>
  </>
);

/** The claims that lead to a section, in the words used elsewhere. */
const Said = ({ section }: { section: string }) => {
  const said = claimsAbout(section, claimsMade());
  if (said.length === 0) return null;
  return (
    <p className="rounded border bg-surface px-4 py-3 text-sm text-muted">
      {`Elsewhere we say ${said.map((text) => `“${text.replace(/\.$/, '')}”`).join(', ')}. This is what our software does:`}
    </p>
  );
};

/** /security, for everybody: each claim leads to its section. */
export default function SecurityPage() {
  useEffect(() => document.getElementById(window.location.hash.slice(1))?.scrollIntoView(), []);
  const sections = securitySections.map(({ id, title, points }) => ({
    id,
    title,
    body: (
      <>
        <Said section={id} />
        <Points points={points} />
      </>
    ),
  }));
  return (
    <SectionsPage
      title="Security"
      lead={`What ${brand.name} does to keep your account and your data safe.`}
      sections={[...sections, { id: 'report', title: 'Report a weakness', body: report }]}
    />
  );
}
