export const SkipLink = () => (
  <a
    href="#main"
    className="sr-only z-50 rounded bg-primary px-4 py-2 font-medium text-primary-foreground focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
  >
    Skip to content
  </a>
);
