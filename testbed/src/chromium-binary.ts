import { findChromium } from '../find-chromium.mjs';

/** Quiet, headless, and able to start as root in a container. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Default on desktops but not in the headless shell: isolates frames of other sites in processes.
  '--site-per-process',
];

export function chromiumPath(...where: Parameters<typeof findChromium>): string {
  const path = findChromium(...where);
  if (path !== undefined) return path;
  throw new Error(
    'No Chromium was found. Run `npm test`, which fetches one, or install it yourself (Debian: `apt install chromium`; elsewhere: `npx playwright-core install chromium`), or set CHROME_PATH to a Chromium or Chrome binary.',
  );
}

/** For pages without extension, window or profile: the headless shell if the test script found one. */
export function pageChromiumPath(): string {
  return process.env['HEADLESS_SHELL_PATH'] ?? chromiumPath();
}
