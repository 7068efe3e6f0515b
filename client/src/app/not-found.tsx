import { useTitle } from '#client/lib/title.ts';
import { paths } from '#client/lib/paths.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';

export const NotFound = () => {
  useTitle('Page not found');
  return (
    <div className="flex min-h-[50dvh] flex-col items-center justify-center text-center">
      <h1 className="text-xl">404 Page Not Found</h1>
      <p className="mt-2 text-muted">The address may be mistyped, or the page may have moved.</p>
      <ButtonLink href={paths.home} variant="secondary" className="mt-6">
        Back to home
      </ButtonLink>
    </div>
  );
};
