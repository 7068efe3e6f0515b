import { clsx } from 'clsx';
import { CircleHelp, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Logo } from '#client/app/logo.tsx';
import { PublicFooter } from '#client/app/public-footer.tsx';
import { ThemeSelect } from '#client/app/theme-select.tsx';
import { paths } from '#client/lib/paths.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { SkipLink } from '#client/ui/skip-link.tsx';

type Props = {
  /** On /auth itself the button would lead nowhere. */
  signIn?: boolean;
  /** Its sections take the whole width, and the footer follows. */
  landing?: boolean;
  children: ReactNode;
};

/** The frame of pages for everybody (A §2, landing header). */
export const PublicShell = ({ signIn = true, landing = false, children }: Props) => (
  <div className="flex min-h-dvh flex-col text-base">
    <SkipLink />
    <header className="screen-only border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-content items-center justify-between gap-2 px-4 sm:px-6">
        <Logo />
        <nav aria-label="Main" className="flex items-center gap-0.5 sm:gap-1">
          <ThemeSelect />
          <ButtonLink href={paths.help} variant="ghost" title="Help" className="max-sm:size-9 max-sm:px-0">
            <CircleHelp aria-hidden className="sm:hidden" />
            <span className="max-sm:sr-only">Help</span>
          </ButtonLink>
          <ButtonLink href={paths.privacy} variant="ghost" title="Privacy" className="max-sm:size-9 max-sm:px-0">
            <ShieldCheck aria-hidden className="sm:hidden" />
            <span className="max-sm:sr-only">Privacy</span>
          </ButtonLink>
          {signIn && (
            <ButtonLink href={paths.auth} className="ml-1">
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
      {children}
    </main>
    {landing && <PublicFooter />}
  </div>
);
