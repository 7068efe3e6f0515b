import { clsx } from 'clsx';
import { CircleHelp, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { seller } from '#shared/brand.ts';
import { Logo } from '#client/app/logo.tsx';
import { ThemeSelect } from '#client/app/theme-select.tsx';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { Alert, ButtonLink, buttonStyle, TextLink } from '#client/ui/elements.tsx';

type Props = {
  /** Off on /auth itself. */
  signIn?: boolean;
  /** Full-width sections. */
  landing?: boolean;
  /** The page to open after signing in. */
  returnTo?: string | null;
  children: ReactNode;
};

export const PublicShell = ({ signIn = true, landing = false, returnTo = null, children }: Props) => (
  <div className="flex min-h-dvh flex-col text-base">
    <header className="screen-only border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-content items-center justify-between gap-2 px-4 sm:px-6">
        <Logo />
        <nav aria-label="Main" className="flex items-center gap-0.5 sm:gap-1">
          {['Tools', 'Pricing'].map((part) => (
            // Not in place: only a page that is loaded scrolls there.
            <a
              key={part}
              href={`${landing ? '' : paths.home}#${part.toLowerCase()}`}
              className={buttonStyle({ variant: 'ghost', className: 'max-md:hidden' })}
            >
              {part}
            </a>
          ))}
          <ButtonLink href={paths.help} variant="ghost" title="Help" className="max-sm:size-11 max-sm:px-0">
            <CircleHelp aria-hidden className="sm:hidden" />
            <span className="max-sm:sr-only">Help</span>
          </ButtonLink>
          <ButtonLink href={paths.privacy} variant="ghost" title="Privacy" className="max-sm:size-11 max-sm:px-0">
            <ShieldCheck aria-hidden className="sm:hidden" />
            <span className="max-sm:sr-only">Privacy</span>
          </ButtonLink>
          <ThemeSelect className="max-sm:hidden" />
          {signIn && (
            <ButtonLink href={withReturnTo(paths.auth, returnTo)} className="ml-1">
              Sign In
            </ButtonLink>
          )}
        </nav>
      </div>
    </header>
    <main
      id="main"
      tabIndex={-1}
      className={clsx('flex-1 outline-none', !landing && 'mx-auto w-full max-w-content px-4 py-8 sm:px-6 sm:py-12')}
    >
      {returnTo && (
        <Alert
          tone="info"
          className="mx-auto mt-6 max-w-content"
          action={<TextLink href={withReturnTo(paths.auth, returnTo)}>Sign in</TextLink>}
        >
          Sign in to open the page you asked for.
        </Alert>
      )}
      {children}
    </main>
    <PublicFooter signIn={signIn} returnTo={returnTo} />
  </div>
);

/** `51 824 753 556`. Importing `formatAbn` would add code that this page otherwise does not need. */
const abn = () => seller().abn.replace(/\B(?=(\d{3})+$)/g, ' ');

const PublicFooter = ({ signIn, returnTo }: { signIn: boolean; returnTo: string | null }) => (
  <footer className="screen-only border-t bg-surface text-sm">
    <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-10 gap-y-4 px-4 py-8 sm:px-6">
      <p className="text-muted">
        {seller().name} · <span className="figures">ABN {abn()}</span>
      </p>
      <nav
        aria-label="Footer"
        className="flex flex-wrap gap-x-6 gap-y-2 max-sm:gap-y-0 max-sm:[&_a]:min-w-11 max-sm:[&_a]:py-3"
      >
        <TextLink href={paths.help}>Help and FAQ</TextLink>
        <TextLink href={paths.privacy}>Privacy</TextLink>
        <TextLink href={paths.securityPage}>Security</TextLink>
        <TextLink href={paths.terms}>Terms</TextLink>
        <TextLink href={paths.developers()}>For makers</TextLink>
        {signIn && <TextLink href={withReturnTo(paths.auth, returnTo)}>Sign In</TextLink>}
        <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>
      </nav>
      <ThemeSelect className="sm:hidden" />
    </div>
  </footer>
);
