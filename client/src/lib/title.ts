import { useEffect } from 'react';
import { brand } from '#shared/brand.ts';

/** The browser's title: `Sign in · Adviserly`; without a page's name, the product and its tagline. */
export const useTitle = (page?: string) => {
  useEffect(() => {
    document.title = page ? `${page} · ${brand.name}` : `${brand.name} · ${brand.tagline}`;
  }, [page]);
};
