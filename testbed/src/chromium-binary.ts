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

/** Flags for a headless shell that one of our programs launches: sites are isolated, as on a desktop. */
export const SHELL_FLAGS: readonly string[] = ['--site-per-process'];

type Where = Parameters<typeof findChromium>;

/** The full Chromium: for extensions, notifications, and what a person has installed. */
export function chromiumPath(env: Where[0] = process.env, platform?: Where[1]): string {
  return env['FULL_CHROMIUM_PATH'] ?? pageChromiumPath(env, platform);
}

/** For everything else, and for the browsers that our programs launch: the headless shell if there is one. */
export function pageChromiumPath(...where: Where): string {
  const path = findChromium(...where);
  if (path !== undefined) return path;
  throw new Error(
    'No Chromium was found. Run `npm test`, which fetches one, or install it yourself (Debian: `apt install chromium`; elsewhere: `npx playwright-core install chromium`), or set CHROME_PATH to a Chromium or Chrome binary.',
  );
}
