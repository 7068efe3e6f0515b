import { Link } from 'wouter';
import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/paths.ts';

export const Logo = () => (
  <Link href={paths.home} className="flex min-w-0 items-center gap-2.5 rounded">
    <svg aria-hidden viewBox="0 0 32 32" className="size-8 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <path
        d="M8.5 23 16 8.5 23.5 23M12.5 19.5h7"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-primary-foreground"
      />
    </svg>
    <span className="min-w-0">
      <span className="block truncate text-sm leading-5 font-semibold max-[23rem]:sr-only">{brand.name}</span>
      <span className="hidden truncate text-xs text-muted sm:block">{brand.tagline}</span>
    </span>
  </Link>
);
