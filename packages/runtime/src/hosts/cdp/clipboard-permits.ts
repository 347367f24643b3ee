import type { PermitClipboard } from './clipboard.ts';
import type { Session } from './connection.ts';

/**
 * A page must not keep the right to read the clipboard without a word: it is taken back after each use. The
 * browser takes back everything at once, so nobody does while another use lasts.
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
