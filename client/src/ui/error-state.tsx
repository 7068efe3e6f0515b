import { TriangleAlert } from 'lucide-react';
import { Button } from '#client/ui/button.tsx';

type Props = {
  title?: string;
  message: string;
  /** Helps support to find the fault in the log. */
  requestId?: string | undefined;
  onRetry?: () => unknown;
  retrying?: boolean;
};

export const ErrorState = ({ title = 'This could not be loaded', message, requestId, onRetry, retrying }: Props) => (
  <div role="alert" className="flex flex-col items-center px-4 py-10 text-center">
    <TriangleAlert aria-hidden className="mb-3 size-6 text-danger" />
    <p className="font-medium">{title}</p>
    <p className="mt-1 max-w-prose text-muted">{message}</p>
    {requestId && <p className="mt-1 font-mono text-xs text-muted">Request {requestId}</p>}
    {onRetry && (
      <Button variant="secondary" className="mt-4" pending={retrying ?? false} onClick={() => void onRetry()}>
        Try again
      </Button>
    )}
  </div>
);
