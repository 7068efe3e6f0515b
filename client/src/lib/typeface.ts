import typeface from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { preload } from 'react-dom';

/**
 * What arrives before the first text is drawn is used; later it would move what somebody reads (`font-display: optional`). The next
 * document's frame may use it too: public/theme.js reads what is remembered here.
 */
export const loadTypeface = () => {
  preload(typeface, { as: 'font', type: 'font/woff2', crossOrigin: '' });
  void document.fonts.load('1rem "Inter Variable"').then(
    (faces) => {
      if (faces.length > 0) localStorage.setItem('adviserly-typeface', 'here');
    },
    // Storage can be forbidden; then frames stay in the stand-in.
    () => undefined,
  );
};
