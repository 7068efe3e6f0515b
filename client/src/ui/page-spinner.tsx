import { Spinner } from '#client/ui/spinner.tsx';

/** For the first load only; after that, skeletons. */
export const PageSpinner = ({ label = 'Loading…' }: { label?: string }) => (
  <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-3 text-muted">
    <Spinner className="size-6 text-primary" />
    <output>{label}</output>
  </div>
);
