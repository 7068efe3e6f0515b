import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';

/** A link within a text: underlined, so that colour alone does not carry the meaning. */
export const TextLink = ({ className, href, children, ...rest }: ComponentProps<'a'> & { href: string }) => {
  const style = clsx(
    'rounded-sm font-medium text-primary underline underline-offset-4 hover:text-primary-hover',
    className,
  );
  const inside = href.startsWith('/') && !href.startsWith('/api/') && !rest.target;
  const anchor = { ...rest, href, className: style };
  return inside ? <Link {...anchor}>{children}</Link> : <a {...anchor}>{children}</a>;
};
