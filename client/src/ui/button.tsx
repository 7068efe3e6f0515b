import type { ComponentProps } from 'react';
import { type ButtonSize, type ButtonVariant, buttonStyle } from '#client/ui/button-style.ts';
import { Spinner } from '#client/ui/spinner.tsx';

type Props = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Work is under way: shows progress and ignores presses. Not `disabled`, which would lose the focus. */
  pending?: boolean;
  /** Replaces the label while pending, such as "Signing in…". */
  pendingLabel?: string;
};

export const Button = ({
  variant,
  size,
  pending = false,
  pendingLabel,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: Props) => (
  <button
    {...rest}
    type={type}
    aria-disabled={pending || rest['aria-disabled']}
    aria-busy={pending || rest['aria-busy']}
    className={buttonStyle(variant, size, className)}
    onClick={(event) => {
      if (pending) event.preventDefault();
      else onClick?.(event);
    }}
  >
    {pending && <Spinner />}
    {pending ? (size === 'icon' ? null : (pendingLabel ?? children)) : children}
  </button>
);
