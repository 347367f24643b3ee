import { join } from 'node:path';
import { buildScript, evaluatorScript } from '@drawbridge/runtime/node';

const entry = (name: string): string => join(import.meta.dirname, '../src', name, 'index.ts');

/** Page code as one classic script. */
export const pageScript = (): Promise<string> => buildScript(entry('page'));

/**
 * The page in which expressions run. It has no origin, so it can load no module: one classic script, and beside it, as
 * text, the worker that it starts.
 */
export async function sandboxFiles(): Promise<Readonly<Record<string, string>>> {
  const [script, { code }] = await Promise.all([
    buildScript(entry('sandbox'), 'drawbridgeSandbox'),
    evaluatorScript(),
  ]);
  const text = code.replaceAll('</script', '<\\/script');
  const html = `<!doctype html>
<meta charset="utf-8">
<title>Drawbridge</title>
<script type="text/plain" id="evaluator">${text}</script>
<script src="/sandbox.js"></script>
`;
  return { 'sandbox.html': html, 'sandbox.js': script };
}
