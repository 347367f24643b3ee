import { CATALOG } from '@drawbridge/protocol/catalog';
import type { TSchema } from 'typebox';
import { Code } from 'typebox/compile';
import type { GeneratedFile } from './file.ts';

const FOLDER = 'packages/protocol/src/generated';

/** One file of check functions per protocol, so that a bundle includes only the protocols it uses. */
export function generateChecks(): GeneratedFile[] {
  return Object.entries(CATALOG).map(([protocol, schemas]) => ({
    path: `${FOLDER}/${protocol}-checks.ts`,
    text: checksFile(protocol, schemas),
  }));
}

function checksFile(protocol: string, schemas: Readonly<Record<string, TSchema>>): string {
  const entries = Object.entries(schemas).map(
    ([kind, schema]) => `  ${JSON.stringify(kind)}: ${checkOf(schema)},`,
  );
  const body = entries.join('\n');
  const name = protocol.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '// Generated from the schemas by `npm run gen`. Do not edit.',
    '// @ts-nocheck: machine-written JavaScript.',
    ...(body.includes('Guard.') ? ["import { Guard } from 'typebox/guard';"] : []),
    ...(body.includes('Hashing.') ? ["import { Hashing } from 'typebox/system';"] : []),
    '',
    `export const ${name}Checks: Readonly<Record<string, (value: unknown) => boolean>> = {`,
    body,
    '};',
    '',
  ].join('\n');
}

/** TypeBox writes a module per schema; this keeps its functions and wraps them in one scope. */
function checkOf(schema: TSchema): string {
  const { Code: code, External } = Code(schema);
  const functions = code.split('\n').filter((line) => /^(const|function) check_\d+/.test(line));
  const patterns = `const ${External.identifier} = [${External.variables.map(String).join(', ')}];`;
  const lines = External.variables.length > 0 ? [patterns, ...functions] : functions;
  return `(() => { ${lines.join(' ')} return check_0; })()`;
}
