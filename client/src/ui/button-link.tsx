import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { type ButtonSize, type ButtonVariant, buttonStyle } from '#client/ui/button-style.ts';

type Props = ComponentProps<'a'> & { href: string; variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. Paths of the app change the page; `/api/`, `mailto:` and other sites leave it. */
export const ButtonLink = ({ href, variant, size, className, children, ...rest }: Props) => {
  const style = buttonStyle(variant, size, className);
  const inside = href.startsWith('/') && !href.startsWith('/api/') && !rest.target;
  const anchor = { ...rest, href, className: style };
  return inside ? <Link {...anchor}>{children}</Link> : <a {...anchor}>{children}</a>;
};
