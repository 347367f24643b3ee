import type { UserManifest } from 'wxt';

/**
 * `production`: for one's own Chrome. `store`: without the debugger, which cannot be an optional permission
 * (https://developer.chrome.com/docs/extensions/reference/api/permissions), and without remote maps. `test`:
 * with host permission for this machine, because nobody can answer Chrome's own dialog in a test.
 */
export const MODES = ['production', 'store', 'test'] as const;
export type Mode = (typeof MODES)[number];

export const readMode = (mode: string): Mode => MODES.find((one) => one === mode) ?? 'production';

/** The README explains each permission; a test keeps both lists equal. */
const PERMISSIONS = [
  ...['activeTab', 'alarms', 'contextMenus', 'offscreen', 'scripting', 'sidePanel', 'storage', 'tabGroups'],
] as const;

/** Forbids remote and evaluated code: expressions run in the sandboxed page. */
const PAGES_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http:",
  'connect-src http: https: ws: wss: data:',
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');
const SANDBOX_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'self' blob:; worker-src blob:";

export function manifestOf(mode: Mode): UserManifest {
  return {
    name: 'Drawbridge',
    description: 'Lend your own tabs to an agent, on your terms.',
    minimum_chrome_version: '125',
    permissions: [...PERMISSIONS, ...(mode === 'store' ? [] : ['debugger'])],
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    ...(mode === 'test' && {
      host_permissions: ['http://127.0.0.1/*', 'http://localhost/*', 'https://page.test/*'],
    }),
    action: { default_title: 'Lend this tab to Drawbridge', default_icon: ICONS },
    icons: ICONS,
    sandbox: { pages: ['sandbox.html'] },
    content_security_policy: { extension_pages: PAGES_POLICY, sandbox: SANDBOX_POLICY },
  };
}

const ICONS = { 16: 'icon/16.png', 32: 'icon/32.png', 48: 'icon/48.png', 128: 'icon/128.png' };
