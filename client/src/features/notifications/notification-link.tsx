import { AppLink, type AppLinkProps } from '#client/ui/link.tsx';

/** A page of ours opens in place, another site in a new tab. */
export const NotificationLink = (props: AppLinkProps) => (
  <AppLink {...props} {...(!props.href.startsWith('/') && { target: '_blank', rel: 'noopener noreferrer' })} />
);
