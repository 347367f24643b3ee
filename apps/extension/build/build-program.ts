import { argv } from 'node:process';
import { build, zip } from 'wxt';

/** In a process of its own: a bundler's memory must not stay in that of a test, or of the CLI. */
const [, , root = '', outDir = '', mode = 'production', form = 'folder'] = argv;
const make = form === 'zip' ? zip : build;
await make({
  ...{ root, outDir, outDirTemplate: 'chrome', mode, logger: quiet() },
  zip: { artifactTemplate: 'drawbridge.zip' },
});

/** Only what went wrong. */
function quiet() {
  const say = (...words: unknown[]) => console.error(...words);
  const nothing = () => {};
  return {
    ...{ debug: nothing, log: nothing, info: nothing, success: nothing },
    ...{ warn: say, error: say, fatal: say },
    level: 0,
  };
}
