import { deepStrictEqual, match } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOOLS } from '@drawbridge/mcp';
import { serveHttp } from './http-server.ts';
import { callTool, ERAS, inspect } from './inspector-cli.ts';
import { buyLamp } from './purchase.ts';

const PAGE = '<!doctype html><title>Inspected</title><h1>A page to look at</h1><button>Knock</button>';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-inspector-'));
const site = await serveHttp(
  async () => new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
);

try {
  for (const era of ERAS) {
    const cli = { home: folder, era, mcp: ['--headless', '--data', folder, '--url', site.url] };
    const listed = await inspect(cli, '--method', 'tools/list', '--strict');
    deepStrictEqual(namesIn(listed), TOOLS.map(({ name }) => name).sort());
    const seen = await callTool(cli, 'snapshot');
    match(seen, /<page http:\/\/127\.0\.0\.1:\d+\/ \w+>/);
    match(seen, /\d+ btn Knock/);
    console.log(`MCP Inspector (${era}): ${TOOLS.length} tools listed and portable, a page seen`);
    const order = await buyLamp(folder, era);
    console.log(
      `MCP Inspector (${era}): a lamp found, put into the cart and paid for in the card form's own origin after a yes in the terminal; order ${order} read through its projection`,
    );
  }
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function namesIn(listed: unknown): string[] {
  const { tools } = listed as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).sort();
}
