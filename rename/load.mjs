// Loads every .ts/.tsx of the repository into one TypeScript language service (the copy inside ts-morph).
import { execFileSync } from 'node:child_process';
import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';

export { ts };

export function listFiles(root) {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((f) => f && existsSync(join(root, f)));
}

export function load(root) {
  const names = listFiles(root).filter((f) => /\.(ts|tsx|mts)$/.test(f)).map((f) => join(root, f));
  const options = {
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    jsx: ts.JsxEmit.ReactJSX,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    allowJs: false,
  };
  const texts = new Map();
  const known = new Set(names);
  const read = (f) => {
    if (!texts.has(f)) texts.set(f, existsSync(f) ? readFileSync(f, 'utf8') : undefined);
    return texts.get(f);
  };
  const libDir = join(import.meta.dirname, 'lib');
  const host = {
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot: (f) => {
      const t = read(f);
      return t === undefined ? undefined : ts.ScriptSnapshot.fromString(t);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (o) => join(libDir, ts.getDefaultLibFileName(o)),
    fileExists: (f) => known.has(f) || ts.sys.fileExists(f),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry());
  return { service, names, read, options };
}
