import { ensureInstalled, main, runScript } from './setup.mjs';

const USAGE = `npm start                    install what is missing, then run Drawbridge
npm start -- --port 7720     the same on another port`;

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  console.log('The relay and the web app are not built yet. Until they are, this serves the demo shop.\n');
  return runScript('testbed/src/shop/main.ts', args);
});
