import { clsx } from 'clsx';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { AppLink, type AppLinkProps } from '#client/ui/link.tsx';

const variants = {
  primary: 'bg-primary text-primary-foreground hover:bg-primary-hover',
  secondary: 'border border-control bg-surface text-text hover:bg-surface-subtle',
  ghost: 'text-text hover:bg-surface-subtle',
  danger: 'bg-danger text-danger-foreground hover:bg-danger-hover',
  link: 'text-primary underline-offset-4 hover:underline',
} as const;
const sizes = {
  sm: 'h-8 gap-1.5 px-3 text-sm',
  md: 'h-9 gap-2 px-4 text-sm',
  lg: 'h-11 gap-2 px-6 text-base',
  icon: 'size-9',
} as const;
type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes; className?: string | undefined };

/** Buttons and links that look like buttons share it. */
export const buttonStyle = ({ variant = 'primary', size = 'md', className }: Look) =>
  clsx(
    'inline-flex shrink-0 items-center justify-center rounded font-medium whitespace-nowrap transition-colors select-none',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    'disabled:opacity-60 aria-disabled:cursor-default',
    variants[variant],
    variant === 'link' ? 'gap-1.5 rounded-sm text-sm' : sizes[size],
    className,
  );

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden className={clsx('size-4 animate-spin', className)} />
);

export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Work is under way: shows progress and ignores presses. Not `disabled`, which would lose the focus. */
    pending?: boolean;
    /** Replaces the label while pending, such as "Signing in…". */
    pendingLabel?: string;
  };

export const Button = (props: ButtonProps) => {
  const {
    variant,
    size,
    pending = false,
    pendingLabel,
    type = 'button',
    className,
    onClick,
    children,
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || rest['aria-disabled']}
      aria-busy={pending || rest['aria-busy']}
      className={buttonStyle({ variant, size, className })}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending && <Spinner />}
      {pending ? (size === 'icon' ? null : (pendingLabel ?? children)) : children}
    </button>
  );
};

/** A link that looks like a button. */
export const ButtonLink = ({ variant, size, className, ...rest }: AppLinkProps & Look) => (
  <AppLink {...rest} className={buttonStyle({ variant, size, className })} />
);
