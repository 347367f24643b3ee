import { walkClick, walkClickAlone } from './walks/click.ts';
import type { WalkedFile } from './walks/coverage.ts';
import { walkSend } from './walks/send.ts';

const USAGE = `npm run walks -- [send|click|click-alone] [--list] [--json]
                 files and functions of our sources that run on the main thread between a call and its answer,
                 counted by V8 on a real relay; --list names them`;

const WALKS = { send: walkSend, click: walkClick, 'click-alone': walkClickAlone };
const isWalk = (name: string): name is keyof typeof WALKS => name in WALKS;

/** `relay/core` of `packages/relay/src/core/sends.ts`. */
const partOf = (file: string): string =>
  file
    .split('/')
    .slice(1, -1)
    .filter((folder) => folder !== 'src')
    .slice(0, 2)
    .join('/');
const count = (value: number): string => String(value).padStart(4);
const functionsIn = (files: readonly WalkedFile[]): number =>
  files.reduce((sum, { functions }) => sum + functions.length, 0);

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--'));
const names = args.filter((arg) => !arg.startsWith('--'));
const known = names.filter(isWalk);
if (options.includes('--help') || known.length < names.length) {
  console.log(USAGE);
  process.exit(options.includes('--help') ? 0 : 2);
}
for (const name of known.length > 0 ? known : (['send', 'click', 'click-alone'] as const)) {
  const files = await WALKS[name]();
  const functions = functionsIn(files);
  if (options.includes('--json')) {
    console.log(JSON.stringify({ walk: name, files: files.length, functions, list: files }));
    continue;
  }
  console.log(`${name}: ${files.length} files, ${functions} functions`);
  for (const [part, own = []] of Object.entries(Object.groupBy(files, ({ file }) => partOf(file))))
    console.log(`  ${part.padEnd(24)} ${count(own.length)} ${count(functionsIn(own))}`);
  if (!options.includes('--list')) continue;
  for (const { file, functions: own } of files)
    console.log(`  ${file.padEnd(64)} ${count(own.length)}  ${own.join(', ')}`);
}
