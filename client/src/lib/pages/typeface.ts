import typeface from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { preload } from 'react-dom';

let here = false;

/**
 * It is used only if it arrives before the first text is drawn: any later and it would move what somebody is reading (`font-display: optional`).
 * That it is here is remembered, so that the next document's frame may use it too (public/theme.js).
 */
export const loadTypeface = () => {
  preload(typeface, { as: 'font', type: 'font/woff2', crossOrigin: '' });
  void document.fonts
    .load('1rem "Inter Variable"')
    .then((faces) => {
      here = faces.length > 0;
      if (here) localStorage.setItem('adviserly-typeface', 'here');
    })
    // Storage can be forbidden; frames then stay in the fallback.
    .catch(() => undefined);
};

/** For the next page, where it moves nothing that is being read. A phone's first page goes without (index.css). */
export const showTypeface = () => {
  if (here) document.documentElement.classList.add('typeface');
};
