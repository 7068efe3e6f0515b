import { clsx } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Card, type Parts } from '#client/ui/elements.tsx';

/** A grey placeholder; give it the height and width of what will replace it. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('animate-pulse rounded bg-surface-subtle', className)} />
);

type LoadingProps = {
  /** Read out by assistive technology. */
  label: string;
  className?: string;
  /** The class names of each skeleton, such as `h-10`. */
  skeletons?: readonly string[];
  /** Placeholders of another form, such as cards. */
  children?: Parts;
};

export const Loading = ({ label, className, skeletons = [], children }: LoadingProps) => (
  <div aria-busy className={className}>
    <output className="sr-only">{label}</output>
    {skeletons.map((each, index) => (
      <Skeleton key={index} className={each} />
    ))}
    {children}
  </div>
);

type EmptyProps = { icon?: ReactNode; title: ReactNode; description?: ReactNode; action?: ReactNode };

export const EmptyState = ({ icon, title, description, action }: EmptyProps) => (
  <div className="flex flex-col items-center px-4 py-6 text-center">
    {icon && (
      <div
        aria-hidden
        className="mb-3 flex size-10 items-center justify-center rounded-full bg-surface-subtle text-muted [&_svg]:size-5"
      >
        {icon}
      </div>
    )}
    <p className="font-medium">{title}</p>
    {description && <p className="mt-1 max-w-prose text-muted">{description}</p>}
    {action && <div className="mt-4">{action}</div>}
  </div>
);

type ErrorProps = {
  title?: string | undefined;
  message: string;
  /** Helps support to find the fault in the log. */
  requestId?: string | undefined;
  onRetry: () => unknown;
  retrying?: boolean;
};

export const ErrorState = (props: ErrorProps) => {
  const { title = 'This could not be loaded', message, requestId, onRetry, retrying = false } = props;
  return (
    <div role="alert" className="flex flex-col items-center px-4 py-6 text-center">
      <TriangleAlert aria-hidden className="mb-3 size-6 text-danger" />
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-prose text-muted">{message}</p>
      {requestId && <p className="mt-1 font-mono text-xs text-muted">Request {requestId}</p>}
      <Button variant="secondary" className="mt-4" pending={retrying} onClick={() => void onRetry()}>
        Try again
      </Button>
    </div>
  );
};

/** The part of `useApiQuery`'s result that is drawn. */
export type Query<T> = {
  data: T | undefined;
  error: { sentence: string; requestId: string | undefined } | null;
  isFetching: boolean;
  refetch: () => unknown;
};

/** The server's sentence with its request id, and "Try again". `title`: `Your invoices could not be loaded`. */
export const QueryFailure = ({ query, title }: { query: Omit<Query<unknown>, 'data'>; title?: string | undefined }) => {
  const { error, isFetching, refetch } = query;
  const message = error?.sentence ?? 'Please try again.';
  return (
    <ErrorState title={title} message={message} requestId={error?.requestId} onRetry={refetch} retrying={isFetching} />
  );
};

type Props<T> = {
  query: Query<T>;
  /** Skeletons in the shape of the content. */
  loading: ReactNode;
  failedTitle?: string;
  /** The failure stands in a card, where the content would have been cards. */
  framedFailure?: boolean;
  /** It is drawn for an empty list, or for what `isEmpty` says. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
};

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

/** A query's four states: loading, failed, empty, loaded. Data stays on the screen when a refetch fails. */
export const QueryView = <T,>(props: Props<T>) => {
  const { query, loading, failedTitle, framedFailure = false, empty, isEmpty = isEmptyList, children } = props;
  const { data, error } = query;
  if (data !== undefined) return empty !== undefined && isEmpty(data) ? empty : children(data);
  if (!error) return loading;
  const failure = <QueryFailure query={query} title={failedTitle} />;
  return framedFailure ? <Card>{failure}</Card> : failure;
};

/** Two queries drawn as one, loaded when both are; "Try again" refetches the failed ones. */
export const both = <A, B>(a: Query<A>, b: Query<B>): Query<readonly [A, B]> => ({
  data: a.data === undefined || b.data === undefined ? undefined : [a.data, b.data],
  error: a.error ?? b.error,
  isFetching: a.isFetching || b.isFetching,
  refetch: () => Promise.all([a, b].filter((each) => each.error).map((each) => each.refetch())),
});
