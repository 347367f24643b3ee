import { match, strictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelRequest, type Reply, startScriptedModel } from '@drawbridge/testbed';
import { PROGRAM, runCommand } from './child.ts';
import { serveHttp } from './http-server.ts';

const BINARY = join(import.meta.dirname, 'node_modules/.bin/opencode');
const PAGE = `<!doctype html><title>A door</title><h1>A door</h1>
<button onclick="fetch('/knock', { method: 'POST' }).then(() => { status.textContent = 'Come in.'; })">Knock</button>
<p id="status" role="status"></p><script>const status = document.getElementById('status');</script>`;

let knocks = 0;
const site = await serveHttp(async (request) => {
  if (request.method === 'POST') knocks += 1;
  return new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } });
});

/** All tool results that the model has read so far. */
function toolAnswers({ body }: ModelRequest): string[] {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.flatMap((message) =>
    typeof message === 'object' && message !== null && 'role' in message && message.role === 'tool'
      ? [JSON.stringify(message)]
      : [],
  );
}

/** A model that looks, presses and reports the result. opencode also asks for a title, without tools. */
function think(request: ModelRequest): Reply {
  if (!JSON.stringify(request.body['tools'] ?? []).includes('drawbridge_act')) return { text: 'A door' };
  const [seen, acted] = toolAnswers(request);
  if (seen === undefined) return { toolCalls: [{ name: 'drawbridge_snapshot', input: {} }] };
  const id = /(\S+) btn Knock/.exec(seen.replaceAll('\\n', '\n'))?.[1] ?? 'not seen';
  if (acted === undefined) {
    return { toolCalls: [{ name: 'drawbridge_act', input: { steps: [{ do: 'click', id }] } }] };
  }
  return { text: `The page answered: ${acted}` };
}

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-opencode-'));
const model = await startScriptedModel(think);
const workspace = join(folder, 'workspace');
mkdirSync(workspace);
const command = [process.execPath, PROGRAM, 'mcp', '--headless', '--data', folder, '--url', site.url];
writeFileSync(
  join(workspace, 'opencode.json'),
  JSON.stringify({
    model: 'stub/m1',
    small_model: 'stub/m1',
    enabled_providers: ['stub'],
    autoupdate: false,
    share: 'disabled',
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: model.baseUrl, apiKey: 'none' },
        models: { m1: {} },
      },
    },
    mcp: { drawbridge: { type: 'local', command, environment: { CHROME_PATH: process.env['CHROME_PATH'] } } },
  }),
);

try {
  const home = Object.fromEntries(
    ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'].map((name) => [
      name,
      folder,
    ]),
  );
  const { code, stdout, stderr } = await runCommand(
    BINARY,
    ['run', '--dir', workspace, '--model', 'stub/m1', '--format', 'json', 'Knock at the door'],
    { ...home, PWD: workspace },
    workspace,
  );
  strictEqual(code, 0, `opencode ended with ${code}: ${stdout} ${stderr}`);
  match(stdout, /Come in\./, `What the page answered did not reach the agent: ${stdout} ${stderr}`);
  strictEqual(knocks, 1);
  model.verify();
  console.log('opencode: a page seen and a button pressed through drawbridge mcp');
} finally {
  await Promise.all([model.close(), site.close()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
