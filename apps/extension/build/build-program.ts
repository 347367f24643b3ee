import { argv } from 'node:process';
import { build, zip } from 'wxt';

/** Runs in a separate process, so that the bundler's memory is freed. */
const [, , root = '', outDir = '', mode = 'production', form = 'folder'] = argv;
const make = form === 'zip' ? zip : build;
await make({
  ...{ root, outDir, outDirTemplate: 'chrome', mode, logger: quiet() },
  zip: { artifactTemplate: 'drawbridge.zip' },
});

/** Logs errors only. */
function quiet() {
  const say = (...words: unknown[]) => console.error(...words);
  const nothing = () => {};
  return {
    ...{ debug: nothing, log: nothing, info: nothing, success: nothing },
    ...{ warn: say, error: say, fatal: say },
    level: 0,
  };
}
