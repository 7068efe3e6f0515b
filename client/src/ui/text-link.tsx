import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';

/** A link within a text: underlined, so that colour alone does not carry the meaning. */
export const TextLink = ({ className, href, ...rest }: ComponentProps<'a'> & { href: string }) => {
  const style = clsx(
    'rounded-sm font-medium text-primary underline underline-offset-4 hover:text-primary-hover',
    className,
  );
  const inside = href.startsWith('/') && !href.startsWith('/api/') && !rest.target;
  return inside ? <Link {...rest} href={href} className={style} /> : <a {...rest} href={href} className={style} />;
};
