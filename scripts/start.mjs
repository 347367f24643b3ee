import { ensureChromium } from './chromium.mjs';
import { offerPath } from './path-offer.mjs';
import { ensureInstalled, main, runScript, stopWithParent } from './setup.mjs';

const USAGE = `npm start                       install what is missing, then run Drawbridge:
                                relay, web app, browser and a demo shop
npm start -- --host 0.0.0.0     the same, and your phone can come in
npm start -- --no-browser       the same, and no browser is looked for
npm start -- --port 7730        the same on another port

In a terminal it asks once whether to put the command drawbridge on your PATH.
It is drawbridge up --shop --extension; ./drawbridge up --help says what else.`;

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  stopWithParent();
  await ensureInstalled();
  await offerPath();
  const chromium = args.includes('--no-browser') ? undefined : await ensureChromium();
  const env = chromium === undefined ? {} : { CHROME_PATH: chromium };
  return runScript('apps/cli/bin/drawbridge.mjs', ['up', '--shop', '--extension', ...args], { env });
});
