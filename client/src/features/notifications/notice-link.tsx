import type { ComponentProps } from 'react';
import { Link } from 'wouter';

/** Where a notice leads: a page of ours, or another site in a tab of its own. */
export const NoticeLink = ({ href, children, ...rest }: ComponentProps<'a'> & { href: string }) =>
  href.startsWith('/') ? (
    <Link {...rest} href={href}>
      {children}
    </Link>
  ) : (
    <a {...rest} href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
