import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateChecks } from './gen/checks.ts';
import type { GeneratedFile } from './gen/file.ts';

const USAGE = `npm run gen            write every generated file from the schemas
npm run gen -- --check say which are stale, and fail if any is`;

const root = join(import.meta.dirname, '..');

function current(file: GeneratedFile): string | undefined {
  try {
    return readFileSync(join(root, file.path), 'utf8');
  } catch {
    return undefined;
  }
}

function write(file: GeneratedFile): void {
  mkdirSync(dirname(join(root, file.path)), { recursive: true });
  writeFileSync(join(root, file.path), file.text);
  console.log(`wrote ${file.path}`);
}

function main(args: readonly string[]): number {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const files = generateChecks();
  const stale = files.filter((file) => current(file) !== file.text);
  if (args.includes('--check')) {
    for (const file of stale) console.error(`stale: ${file.path} (run npm run gen)`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const file of stale) write(file);
  console.log(`${files.length} generated files, ${stale.length} changed`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
