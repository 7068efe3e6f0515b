// Sets classes before the first paint: the theme's, by the same rule as client/src/lib/pages/theme.ts, which takes over from here, and
// whether this browser has had the typeface (client/src/lib/pages/typeface.ts).
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('adviserly-ui-theme');
    if (localStorage.getItem('adviserly-typeface')) document.documentElement.classList.add('typeface');
  } catch {
    // Storage can be forbidden; then the device decides.
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(dark ? 'dark' : 'light');
})();
