/**
 * Notifications, and the shell without a network: pages come from the relay when it answers within a moment, else from what the last visit
 * kept. Nothing of `/api` or a session is ever kept here. The build puts the list of files in the place of FILES.
 */
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];
const KEPT = `shell-${VERSION}`;
const PATIENCE_MS = 3_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (FILES.includes(pathname)) event.respondWith(file(request));
});

async function page(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    const cache = await caches.open(KEPT);
    return (await cache.match('/')) ?? Response.error();
  }
}

async function file(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request)) ?? fetch(request);
}

self.addEventListener('push', (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(told.type === 'close' ? takeBack(told.close) : show(told));
});

function show({ kind, tag, title, body, session_id, at }) {
  const waits = kind === 'prompt' || kind === 'question';
  return self.registration.showNotification(title ?? 'Drawbridge', {
    body: body ?? '',
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path: session_id ? `/s/${encodeURIComponent(session_id)}` : '/' },
    requireInteraction: waits,
    ...(tag && { tag, renotify: waits }),
    ...(at && { timestamp: at }),
  });
}

/** It was answered elsewhere. */
async function takeBack(tag) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? '/'));
});

async function open(path) {
  const [window] = await self.clients.matchAll({ type: 'window' });
  if (window === undefined) return void (await self.clients.openWindow(path));
  window.postMessage({ open: path });
  await window.focus();
}
