import { ensureInstalled, main, runScript } from './setup.mjs';

const USAGE = `npm run pack    makes the npm package in dist: the command, the web app, the extension, scripts
                and maps, bundled; nothing is fetched or built where it is installed`;

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await ensureInstalled();
  return runScript('packaging/pack/main.ts', args);
});
