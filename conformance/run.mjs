import { join } from 'node:path';
import { ensureChromium } from '../scripts/chromium.mjs';
import { ensureInstalled, main, root, runScript } from '../scripts/setup.mjs';

const NAMES = ['deploy', 'suite', 'inspector', 'opencode', 'steer', 'thread'];

const AGENTS = ['opencode', 'claude', 'codex'];
/** Run once for each agent. */
const FOR_AGENTS = ['steer', 'thread'];

const USAGE = `node conformance/run.mjs            clients and agents that are not ours, against what is ours
node conformance/run.mjs NAME …     only these: ${NAMES.join(', ')}`;

/** Runs them one after the other; installs their many dependencies in this folder. */
export async function conformance(asked = []) {
  await ensureInstalled();
  await ensureInstalled(join(root, 'conformance'));
  const env = { CHROME_PATH: await ensureChromium() };
  let code = 0;
  for (const name of asked.length > 0 ? asked : NAMES) {
    for (const args of FOR_AGENTS.includes(name) ? AGENTS.map((agent) => [agent]) : [[]])
      code = (await runScript(`conformance/${name}.ts`, args, { env })) || code;
  }
  return code;
}

if (process.argv[1] === import.meta.filename) {
  await main(async (args) => {
    const unknown = args.filter((arg) => !NAMES.includes(arg));
    if (args.includes('--help') || unknown.length > 0) {
      console.log(USAGE);
      return args.includes('--help') ? 0 : 2;
    }
    return conformance(args);
  });
}
