// Before the first paint: a dark screen must not flash white. The rest is in src/state/preferences.ts.
(() => {
  let chosen = 'system';
  try {
    chosen = JSON.parse(localStorage.getItem('drawbridge') ?? '{}').theme ?? 'system';
  } catch {}
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
