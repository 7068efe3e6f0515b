import typeface from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { preload } from 'react-dom';

let here = false;

/**
 * What arrives before the first text is drawn is used; later it would move what somebody reads (`font-display: optional`). The next
 * document's frame may use it too: public/theme.js reads what is remembered here.
 */
export const loadTypeface = () => {
  preload(typeface, { as: 'font', type: 'font/woff2', crossOrigin: '' });
  void document.fonts.load('1rem "Inter Variable"').then(
    (faces) => {
      here = faces.length > 0;
      if (here) localStorage.setItem('adviserly-typeface', 'here');
    },
    // Storage can be forbidden; then frames stay in the stand-in.
    () => undefined,
  );
};

/** For a page that comes: nothing that is being read moves. A phone's first page is drawn without (index.css). */
export const showTypeface = () => {
  if (here) document.documentElement.classList.add('typeface');
};
