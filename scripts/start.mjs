import { ensureInstalled, main, runScript } from './setup.mjs';

const USAGE = `npm start                    install what is missing, then run Drawbridge
npm start -- --port 7720     the same on another port`;

const PARENT_CHECK_MS = 500;

/** npm that is told to stop does not tell us: without this, whoever stops npm leaves us running. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

await main(async (args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  stopWithParent();
  await ensureInstalled();
  console.log(`The relay and the web app are not built yet. Until they are, this serves the demo shop.
To act in it as an agent would, in another terminal:
  npx drawbridge map run maps/shop/actions.json search.open --args '{"query":"lamp"}'
  npx drawbridge browser --map maps/shop/actions.json --url ADDRESS
`);
  return runScript('testbed/src/shop/main.ts', args);
});
