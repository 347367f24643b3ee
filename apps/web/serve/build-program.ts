import { argv } from 'node:process';
import { buildWeb } from './build-web.ts';

/** Runs in a separate process, so that the bundler's memory is freed. */
const [, , root = '', outDir = '', version = ''] = argv;
await buildWeb(root, outDir, version);
