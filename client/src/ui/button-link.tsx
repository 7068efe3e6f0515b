import { AppLink, type AppLinkProps } from '#client/ui/app-link.tsx';
import { type ButtonSize, type ButtonVariant, buttonStyle } from '#client/ui/button-style.ts';

type Props = AppLinkProps & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. */
export const ButtonLink = ({ variant, size, className, ...rest }: Props) => (
  <AppLink {...rest} className={buttonStyle(variant, size, className)} />
);
