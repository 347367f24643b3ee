import './page.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Page } from './page-context.ts';
import { PageShell, rememberedLook, showTheme } from './page-shell.tsx';
import type { PagePorts } from './ports.ts';
import type { PanelWords } from './words/en.ts';
import { createWorkerLink } from './worker-link.ts';

/** Renders a page into its document. */
export function openPage(ports: PagePorts, title: (words: PanelWords) => string, content: ReactNode): void {
  showTheme(rememberedLook(localStorage).theme);
  const place = document.getElementById('app');
  if (place === null) throw new Error('The page has no #app.');
  const link = createWorkerLink({
    connect: ports.connect,
    newId: () => crypto.randomUUID(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  const page: Page = { link, ports };
  createRoot(place).render(
    <StrictMode>
      <PageShell page={page} title={title}>
        {content}
      </PageShell>
    </StrictMode>,
  );
}
