import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** The npm package's name: `drawbridge` there is somebody else's. */
export const PACKAGE_NAME = 'drawbridge-relay';

/** This installation's program file: of the clone, or of the npm package. */
export const PROGRAM = fileURLToPath(new URL('../../bin/drawbridge.mjs', import.meta.url));

export interface Place {
  readonly env: Environment;
  readonly program: string;
  /** The link at the root of a clone; the npm package has none there. */
  readonly cloneCommand: string;
}

const here = (): Place => ({
  env: process.env,
  program: PROGRAM,
  cloneCommand: join(dirname(PROGRAM), '../../../drawbridge'),
});

/** How a person calls this very installation from any folder. */
export function ownCommand({ env, program, cloneCommand }: Place = here()): string {
  const target = real(program);
  if (target === undefined || real(cloneCommand) !== target)
    return env['npm_command'] === 'exec' ? `npx ${PACKAGE_NAME}` : 'drawbridge';
  // A new terminal opens anywhere, so the path is absolute.
  return onPath(env) === target ? 'drawbridge' : quoted(cloneCommand);
}

/** The program that a shell starts for `drawbridge`. npm's own folders count only inside npm. */
function onPath(env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  return folders.map((each) => real(join(each, 'drawbridge'))).find((found) => found !== undefined);
}

const quoted = (path: string): string =>
  /[^\w@%+=:,./-]/.test(path) ? `'${path.replaceAll("'", `'\\''`)}'` : path;

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
