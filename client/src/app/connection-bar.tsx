import { brand } from '#shared/brand.ts';
import { type Trouble, tryAgain, useTrouble } from '#client/lib/later.ts';
import { reloadPage } from '#client/lib/leaving.ts';
import { Button } from '#client/ui/button.tsx';

const words: Record<Trouble, readonly [what: string, then: string]> = {
  offline: ['You are offline.', "We'll carry on once you're back. Nothing you typed is lost."],
  released: [`There's a new version of ${brand.name}.`, 'Reload the page to carry on. Nothing you typed is lost.'],
  missing: ["Part of this page hasn't loaded yet.", "We're still trying. Nothing you typed is lost."],
};

/** Says why a part of the page is not coming. It takes room below the page, so that it covers nothing. */
export const ConnectionBar = () => {
  const trouble = useTrouble();
  if (!trouble) return null;
  const [what, then] = words[trouble];
  return (
    <div
      role="alert"
      aria-label="Connection"
      className="screen-only sticky bottom-0 z-30 border-t border-warning/30 bg-warning-subtle text-sm"
    >
      <div className="mx-auto flex max-w-content flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
        <p className="min-w-0 flex-1 basis-56">
          <span className="font-medium">{what}</span> {then}
        </p>
        <Button variant="secondary" size="sm" onClick={() => (trouble === 'offline' ? tryAgain() : reloadPage())}>
          {trouble === 'offline' ? 'Try again' : 'Reload'}
        </Button>
      </div>
    </div>
  );
};
