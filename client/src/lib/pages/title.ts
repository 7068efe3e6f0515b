import { useEffect } from 'react';
import { brand } from '#shared/brand.ts';

/** `Sign in · Adviserly`; without a page name, the product and its tagline. */
export const useTitle = (page?: string) => {
  useEffect(() => {
    document.title = page ? `${page} · ${brand.name}` : `${brand.name} · ${brand.tagline}`;
  }, [page]);
};
