import { Skeleton } from '#client/ui/query-view.tsx';
import { Spinner } from '#client/ui/button.tsx';

export const PaymentFormSkeleton = () => (
  <div role="status" aria-busy className="flex flex-col gap-3">
    <p className="flex items-center gap-2 text-muted">
      <Spinner className="text-primary" />
      Preparing your subscription...
    </p>
    <Skeleton className="h-9" />
    <div className="grid grid-cols-2 gap-3">
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
    <Skeleton className="h-11" />
  </div>
);
