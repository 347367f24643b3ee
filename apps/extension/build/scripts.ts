import { join } from 'node:path';
import { buildScript, evaluatorScript } from '@drawbridge/runtime/node';

const entry = (name: string): string => join(import.meta.dirname, '../src', name, 'index.ts');

/** Page code as one classic script. */
export const pageScript = (): Promise<string> => buildScript(entry('page'));

/**
 * Page that runs expressions. Without an origin it cannot load modules: one classic script, with the source
 * of its worker as text.
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
