import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { pageElement } from './page-element.ts';

export function mount(selector: string, part: ReactNode): void {
  createRoot(pageElement(selector, HTMLElement)).render(part);
}
