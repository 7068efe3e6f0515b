import { Component, type ReactNode } from 'react';
import { ApiError } from '#client/lib/api-error.ts';
import { ErrorState } from '#client/ui/error-state.tsx';

type Props = {
  /** A new value, such as the path, clears the error. */
  resetKey: string;
  children: ReactNode;
};
type State = { error: unknown; key: string };

/** After a release the code of the old pages is gone: only a reload helps. */
const outdated = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message);

/** Catches what a page throws while rendering; React offers this only as a class. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, key: this.props.resetKey };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('unknown') };
  }

  static getDerivedStateFromProps({ resetKey }: Props, { key }: State) {
    return key === resetKey ? null : { error: undefined, key: resetKey };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const reload = outdated(error);
    return (
      <ErrorState
        title={reload ? 'A new version is available' : 'Something went wrong'}
        message={
          reload
            ? 'This page was updated, or could not be reached. Please try again.'
            : 'This page ran into a problem. Please try again; if it happens again, tell our support.'
        }
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => (reload ? window.location.reload() : this.setState({ error: undefined }))}
      />
    );
  }
}
