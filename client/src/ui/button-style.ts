import { clsx } from 'clsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'link';
export type ButtonSize = 'sm' | 'md' | 'lg' | 'icon';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-primary-foreground hover:bg-primary-hover',
  secondary: 'border border-control bg-surface text-text hover:bg-surface-subtle',
  ghost: 'text-text hover:bg-surface-subtle',
  danger: 'bg-danger text-danger-foreground hover:bg-danger-hover',
  link: 'text-primary underline-offset-4 hover:underline',
};
const sizes: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 px-3 text-sm',
  md: 'h-9 gap-2 px-4 text-sm',
  lg: 'h-11 gap-2 px-6 text-base',
  icon: 'size-9',
};

/** Buttons and links that look like buttons share it. */
export const buttonStyle = (variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className?: string) =>
  clsx(
    'inline-flex shrink-0 items-center justify-center rounded font-medium whitespace-nowrap transition-colors select-none',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    'disabled:opacity-60 aria-disabled:cursor-default',
    variants[variant],
    variant === 'link' ? 'gap-1.5 rounded-sm text-sm' : sizes[size],
    className,
  );
