import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, main, pinnedNode, root } from './setup.mjs';

const USAGE = `npm run check    everything quick, in parallel: format and lint, types, unused code,
                 generated files, layers, lockfile, plain words`;

const bin = (name) => join(root, 'node_modules/.bin', name);

const STEPS = {
  lint: [bin('biome'), 'check', '--error-on-warnings', '.'],
  // On two cores several checkers take twice the time of one.
  types: [bin('tsc'), '-b', '--singleThreaded'],
  unused: [pinnedNode, join(root, 'node_modules/knip/bin/knip.js')],
  generated: [pinnedNode, join(root, 'scripts/gen.ts'), '--check'],
  layers: [pinnedNode, join(root, 'scripts/layers.ts')],
  words: [pinnedNode, join(root, 'scripts/words.ts')],
  lockfile: [pinnedNode, join(root, 'scripts/lockfile.mjs'), '--check'],
};

function runStep([command, ...args]) {
  const started = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const env = { ...process.env, PATH: `${join(root, 'node_modules/node/bin')}:${process.env.PATH}` };
    const child = spawn(command, args, { cwd: root, env });
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ ok: false, output: error.message, seconds: 0 }));
    child.on('exit', (code) => {
      resolve({ ok: code === 0, output, seconds: (performance.now() - started) / 1000 });
    });
  });
}

export async function check() {
  const results = await Promise.all(
    Object.entries(STEPS).map(async ([name, command]) => {
      const result = await runStep(command);
      console.log(`${result.ok ? '✓' : '✗'} ${name} (${result.seconds.toFixed(1)} s)`);
      if (!result.ok) console.log(result.output.trimEnd());
      return result.ok;
    }),
  );
  return results.every(Boolean) ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async (args) => {
    if (args.includes('--help')) {
      console.log(USAGE);
      return 0;
    }
    await ensureInstalled();
    return check();
  });
}
