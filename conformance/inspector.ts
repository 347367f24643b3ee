import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOOLS } from '@drawbridge/mcp';
import { PROGRAM, runPackage } from './child.ts';
import { serveHttp } from './http-server.ts';

const CLI = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const PAGE = '<!doctype html><title>Inspected</title><h1>A page to look at</h1><button>Knock</button>';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-inspector-'));
const site = await serveHttp(
  async () => new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
);

/** The MCP Inspector without its window, with `drawbridge mcp` as the server it starts. */
async function inspect(era: string, ...args: readonly string[]): Promise<unknown> {
  const server = [process.execPath, PROGRAM, 'mcp', '--headless', '--data', folder, '--url', site.url];
  const { code, stdout, stderr } = await runPackage(
    CLI,
    ['--cli', '-e', `CHROME_PATH=${process.env['CHROME_PATH']}`, '--protocol-era', era, ...server, ...args],
    { HOME: folder },
  );
  strictEqual(code, 0, `The Inspector ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

try {
  for (const era of ['legacy', 'modern']) {
    const listed = await inspect(era, '--method', 'tools/list', '--strict');
    deepStrictEqual(namesIn(listed), TOOLS.map(({ name }) => name).sort());
    const seen = JSON.stringify(await inspect(era, '--method', 'tools/call', '--tool-name', 'snapshot'));
    match(seen, /<page http:\/\/127\.0\.0\.1:\d+ \w+>/);
    match(seen, /\d+ btn Knock/);
    console.log(`MCP Inspector (${era}): ${TOOLS.length} tools listed and portable, a page seen`);
  }
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function namesIn(listed: unknown): string[] {
  const { tools } = listed as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).sort();
}
