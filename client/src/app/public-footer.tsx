import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/paths.ts';
import { TextLink } from '#client/ui/text-link.tsx';

/** In its groups: 51 824 753 556. Not by the rules of Australia, which the page needs for nothing else. */
const abn = brand.sellerAbn.replace(/\B(?=(\d{3})+$)/g, ' ');

/** Who sells this, and where to ask. */
export const PublicFooter = () => (
  <footer className="screen-only border-t bg-surface text-sm">
    <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-10 gap-y-4 px-4 py-8 sm:px-6">
      <p className="text-muted">
        {brand.sellerName} · <span className="figures">ABN {abn}</span>
      </p>
      <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-2">
        <TextLink href={paths.help}>Help</TextLink>
        <TextLink href={paths.privacy}>Privacy</TextLink>
        <TextLink href={paths.auth}>Sign In</TextLink>
        <TextLink href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</TextLink>
      </nav>
    </div>
  </footer>
);
