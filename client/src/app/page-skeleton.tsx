import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

/** While a page's files arrive: a heading and two cards. */
export const PageSkeleton = () => (
  <Loading label="Loading page">
    <Skeleton className="h-8 w-56" />
    <Skeleton className="mt-6 h-40 w-full" />
    <Skeleton className="mt-4 h-40 w-full" />
  </Loading>
);
