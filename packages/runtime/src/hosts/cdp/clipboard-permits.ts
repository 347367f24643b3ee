import type { PermitClipboard } from './clipboard.ts';
import type { Session } from './connection.ts';

/**
 * Revokes clipboard permission after each use, so that no page keeps it. The browser revokes all permissions
 * at once, so the last concurrent use does it.
 */
export function createClipboardPermits(browser: Session): PermitClipboard {
  let uses = 0;
  return async (origin, use, work) => {
    uses++;
    try {
      const permission = { name: `clipboard-${use}` };
      await browser.send('Browser.setPermission', { permission, setting: 'granted', origin });
      return await work();
    } finally {
      uses--;
      if (uses === 0) await browser.send('Browser.resetPermissions');
    }
  };
}
