import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, main, root, runScript } from './setup.mjs';

const FOLDER = join(root, 'bench');

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));

const USAGE = `npm run bench               every benchmark, one after the other
npm run bench -- NAME …     only these: ${names.join(', ')}
npm run bench -- NAME --FLAG VALUE …    from the first flag on, everything goes to the benchmark

Each one measures us beside a peer or the machine's limit in the same run, and prints a ratio.`;

await main(async (args) => {
  const flagsFrom = args.findIndex((arg) => arg.startsWith('-'));
  const asked = flagsFrom < 0 ? args : args.slice(0, flagsFrom);
  const flags = args.slice(asked.length);
  const unknown = asked.filter((arg) => !names.includes(arg));
  if (args.includes('--help') || unknown.length > 0) {
    if (unknown.length > 0) console.error(`There is no benchmark called ${unknown.join(', ')}.\n`);
    console.log(USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  await ensureInstalled();
  await ensureInstalled(FOLDER);
  const chosen = names.filter((name) => asked.includes(name));
  let code = 0;
  for (const name of chosen.length > 0 ? chosen : names)
    code ||= await runScript(`bench/${name}.bench.ts`, flags);
  return code;
});
