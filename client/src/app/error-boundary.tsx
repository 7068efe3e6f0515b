import { Component, type ReactNode } from 'react';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { ErrorState } from '#client/ui/query-view.tsx';

type Props = {
  /** A new value, such as the path, clears the error. */
  resetKey: string;
  children: ReactNode;
};
type State = { error: unknown; key: string };

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
    return (
      <ErrorState
        title="Something went wrong"
        message="This page ran into a problem. Please try again. If it happens again, let our support team know."
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => this.setState({ error: undefined })}
      />
    );
  }
}
