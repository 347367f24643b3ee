import { pageElement } from './page-element.ts';

export const TOAST_MS = 2000;

export type ToastKind = 'done' | 'failed';

/** Shows a message in the page's live region and removes it after `ms`. */
export function showToast(text: string, ms: number = TOAST_MS, kind: ToastKind = 'done'): HTMLElement {
  const toast = document.createElement('p');
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  if (kind === 'failed') toast.setAttribute('role', 'alert');
  pageElement('#toasts', HTMLElement).append(toast);
  setTimeout(() => toast.remove(), ms);
  return toast;
}
