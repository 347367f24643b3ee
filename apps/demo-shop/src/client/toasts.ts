import { pageElement } from './parts/page-element.ts';
import { showToast } from './parts/toast.ts';

const SILENT_TOAST_MS = 2000;

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-toast]')) {
  button.addEventListener('click', () => {
    const { toast = '', ms, kind, lang } = button.dataset;
    const shown = showToast(toast, Number(ms), kind === 'failed' ? 'failed' : 'done');
    if (lang !== undefined) shown.lang = lang;
  });
}

pageElement('#quiet-toast', HTMLButtonElement).addEventListener('click', () => {
  const toast = document.createElement('div');
  toast.className = 'silent-toast';
  toast.textContent = 'Lamp moved to your wish list';
  pageElement('#silent-place', HTMLElement).append(toast);
  setTimeout(() => toast.remove(), SILENT_TOAST_MS);
});
