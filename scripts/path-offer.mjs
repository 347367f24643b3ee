// Runs on any Node >= 20 with nothing but the lockfile's packages installed.
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { root, runScript } from './setup.mjs';

const PROGRAM = 'apps/cli/bin/drawbridge.mjs';
const OFFER = `
The guides use the command drawbridge. Put it on your PATH?
This makes one link in ~/.local/bin to this folder; drawbridge path --remove deletes it.
[y/N] `;

/** Asks once, in a terminal only, whether `drawbridge` is to be on the PATH. */
export async function offerPath({
  stdin = process.stdin,
  stdout = process.stdout,
  env = process.env,
  declined = join(root, '.cache/path-declined'),
  install = () => runScript(PROGRAM, ['path']),
} = {}) {
  if (!stdin.isTTY || !stdout.isTTY || existsSync(declined) || isOnPath(env)) return;
  const terminal = createInterface({ input: stdin, output: stdout });
  const answer = await answerOf(terminal);
  terminal.close();
  mkdirSync(dirname(declined), { recursive: true });
  if (/^y(es)?$/i.test(answer.trim())) {
    await install();
    // A yes too is asked for once: only a new terminal may find the command.
    writeFileSync(declined, '');
    return;
  }
  writeFileSync(declined, '');
  stdout.write(`Not done. Later: ${join(root, 'drawbridge')} path\n`);
}

/** Ctrl-D is no answer: depending on Node's version the question then rejects, or stays open. Ctrl-C still ends us. */
async function answerOf(terminal) {
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const left = once(terminal, 'close').then(() => '');
  return Promise.race([terminal.question(OFFER).catch(() => left), left]);
}

/** Skips the folders that npm adds to the PATH: a person's shell does not have them. */
function isOnPath(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  const ours = realpathSync(join(root, PROGRAM));
  return folders.some((each) => {
    const found = join(each, 'drawbridge');
    return existsSync(found) && realpathSync(found) === ours;
  });
}
