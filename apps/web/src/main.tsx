import './app.css';
import { preloadMarkdown } from '@drawbridge/ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onInstallOffer } from './client/install.ts';
import { Root } from './root.tsx';
import { navigate } from './route.ts';
import { preloadPanes } from './screens/app-shell.tsx';
import { createPreferences } from './state/preferences.ts';

onInstallOffer();
const place = document.getElementById('app');
if (place === null) throw new Error('The page has no #app.');
createRoot(place).render(
  <StrictMode>
    <Root preferences={createPreferences(localStorage, window)} />
  </StrictMode>,
);
// Safari has no requestIdleCallback.
(globalThis.requestIdleCallback ?? setTimeout)(() => {
  preloadPanes();
  preloadMarkdown();
});
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => {});
  // A clicked notification opens its session in this window.
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.open === 'string') navigate(data.open);
  });
}
