import { Link } from 'wouter';
import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/pages/paths.ts';

/** Where there is no room for the name, it wraps out of sight. */
export const Logo = () => (
  <Link
    href={paths.home}
    className="flex h-9 min-w-8 flex-wrap content-start max-sm:h-11 max-sm:min-w-11 gap-x-2.5 overflow-hidden rounded"
  >
    <svg aria-hidden viewBox="0 0 32 32" className="my-0.5 size-8 shrink-0 max-sm:my-1.5">
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
    <span className="flex h-9 flex-col max-sm:h-11 justify-center whitespace-nowrap">
      <span className="text-sm leading-5 font-semibold">{brand.name}</span>
      <span className="hidden text-xs text-muted sm:block">{brand.tagline}</span>
    </span>
  </Link>
);
