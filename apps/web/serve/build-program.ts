import { argv } from 'node:process';
import { buildWeb } from './build-web.ts';

/** In a process of its own: a bundler's memory must not stay in the relay's. */
const [, , root = '', outDir = '', version = ''] = argv;
await buildWeb(root, outDir, version);
