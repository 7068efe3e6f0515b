import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';

export type AppLinkProps = ComponentProps<'a'> & { href: string };

/** A path of the app changes the page in place; `/api/`, `mailto:`, other sites and new tabs leave it. */
export const AppLink = ({ href, children, ...rest }: AppLinkProps) => {
  const anchor = { ...rest, href };
  const inPlace = href.startsWith('/') && !href.startsWith('/api/') && !rest.target;
  return inPlace ? <Link {...anchor}>{children}</Link> : <a {...anchor}>{children}</a>;
};

const underlined = 'rounded-sm font-medium text-primary underline underline-offset-4 hover:text-primary-hover';

/** A link within text: underlined, because colour alone must not carry meaning. */
export const TextLink = ({ className, ...rest }: AppLinkProps) => (
  <AppLink {...rest} className={clsx(underlined, className)} />
);
