import type { ReactNode } from 'react';
import { Card } from '#client/ui/card.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

/** The part of `useApiQuery`'s result that is drawn. */
export type Query<T> = {
  data: T | undefined;
  error: { sentence: string; requestId: string | undefined } | null;
  isFetching: boolean;
  refetch: () => unknown;
};

type FailureProps = {
  query: Omit<Query<unknown>, 'data'>;
  /** `Your invoices could not be loaded`. */
  title?: string | undefined;
  /** In a card, where the content would have been cards. */
  framed?: boolean;
};

/** The server's sentence with its request id, and "Try again". */
export const QueryFailure = ({ query, title, framed = false }: FailureProps) => {
  const { error, isFetching, refetch } = query;
  const failure = (
    <ErrorState
      {...(title && { title })}
      message={error?.sentence ?? 'Please try again.'}
      requestId={error?.requestId}
      onRetry={refetch}
      retrying={isFetching}
    />
  );
  return framed ? <Card>{failure}</Card> : failure;
};

type Props<T> = {
  query: Query<T>;
  /** Skeletons in the shape of the content. */
  loading: ReactNode;
  failedTitle?: string;
  framedFailure?: boolean;
  /** It is drawn for an empty list, or for what `isEmpty` says. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
};

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

/** A query's four states: loading, failed, empty, loaded. Data stays on the screen when a refetch fails. */
export const QueryView = <T,>(props: Props<T>) => {
  const { query, loading, failedTitle, framedFailure, empty, isEmpty = isEmptyList, children } = props;
  const { data, error } = query;
  if (data !== undefined) return empty !== undefined && isEmpty(data) ? empty : children(data);
  return error ? <QueryFailure query={query} title={failedTitle} framed={framedFailure} /> : loading;
};

/** Two queries drawn as one, loaded when both are; "Try again" refetches the failed ones. */
export const both = <A, B>(a: Query<A>, b: Query<B>): Query<readonly [A, B]> => ({
  data: a.data === undefined || b.data === undefined ? undefined : [a.data, b.data],
  error: a.error ?? b.error,
  isFetching: a.isFetching || b.isFetching,
  refetch: () => Promise.all([a, b].filter((each) => each.error).map((each) => each.refetch())),
});
