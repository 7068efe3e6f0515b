import { clsx } from 'clsx';
import { AppLink, type AppLinkProps } from '#client/ui/app-link.tsx';

/** A link within text: underlined, because colour alone must not carry meaning. */
export const TextLink = ({ className, ...rest }: AppLinkProps) => (
  <AppLink
    {...rest}
    className={clsx(
      'rounded-sm font-medium text-primary underline underline-offset-4 hover:text-primary-hover',
      className,
    )}
  />
);
