// Sets the theme's class before the first paint. The same rule as client/src/lib/theme.ts, which takes over from here.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('adviserly-ui-theme');
  } catch {
    // Storage can be forbidden; then the device decides.
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(dark ? 'dark' : 'light');
})();
