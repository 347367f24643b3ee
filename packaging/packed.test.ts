import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromiumPath } from '@drawbridge/testbed';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Packed, pack } from './pack/pack.ts';
import { ROOT } from './pack/places.ts';

vi.setConfig({ testTimeout: 300_000 });

const run = promisify(execFile);

let folder = '';
let home = '';
let packed: Packed;

const environment = () => ({ PATH: process.env['PATH'] ?? '', HOME: home, CHROME_PATH: chromiumPath() });
const program = () => join(folder, 'node_modules/drawbridge-relay/bin/drawbridge.cjs');
const drawbridge = (...args: readonly string[]) =>
  run(process.execPath, [program(), ...args], { cwd: folder, env: environment(), maxBuffer: 1e8 });

describe('the package, installed alone', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packed-'));
    home = join(folder, 'home');
    await mkdir(home);
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    packed = await pack(join(folder, 'dist'));
    const quiet = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier'];
    await run('npm', ['install', ...quiet, packed.tarball], { cwd: folder, env: environment() });
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  test('has no dependencies, scripts or native code, and is at most 5 MB', async () => {
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'drawbridge-relay',
    ]);
    const manifest = JSON.parse(await readFile(join(packed.folder, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest.engines).toEqual({ node: '>=24' });
    const files = await readdir(packed.folder, { recursive: true });
    expect(files.filter((name) => /\.(?:node|wasm|ts)$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
    expect(packed.tarballBytes).toBeLessThan(5_000_000);
  });

  test('every file that the program names is there', async () => {
    const lib = join(packed.folder, 'lib');
    const texts = await Promise.all((await readdir(lib)).map((name) => readFile(join(lib, name), 'utf8')));
    const named = texts.flatMap((text) => [
      ...text.matchAll(/new URL\(["'`](\.[^"'`$]+)["'`], import\.meta\.url/g),
      ...text.matchAll(/join\(import\.meta\.dirname, ["'`](\.[^"'`$]+)/g),
    ]);
    expect(named.length).toBeGreaterThan(8);
    for (const [, path = ''] of named) await access(join(lib, path));
  });

  test('names the Node version it needs', async () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '12.22.0' }); require(${JSON.stringify(program())})`;
    const failed = run(process.execPath, ['-e', old]);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^drawbridge needs Node 24 or newer; .*\.\n$/),
    });
  });

  test('has the commands of the repository, and the extension', async () => {
    const { stdout } = await drawbridge('--help');
    for (const name of ['up', 'pair', 'doctor', 'completion', 'mcp', 'map validate'])
      expect(stdout).toContain(name);
    const out = join(folder, 'extension');
    await drawbridge('extension', '--out', out);
    expect(await readdir(out)).toContain('manifest.json');
    const { stdout: zip } = await drawbridge('extension', '--zip', '--out', join(folder, 'zip'), '--json');
    expect(Object.keys(unzipSync(await readFile(JSON.parse(zip).path)))).toEqual(
      expect.arrayContaining(['manifest.json', 'background.js']),
    );
  });

  test('a relay serves the web app, pairs a device, and ends with Ctrl-C', async () => {
    const { url, pair_url, end } = await up('--no-browser');
    const page = await (await fetch(url)).text();
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('text/javascript');
    expect(await (await fetch(`${url}/openapi.json`)).json()).toHaveProperty('paths');
    const secret = new URLSearchParams(new URL(pair_url).hash.slice(1)).get('pair');
    const paired = await fetch(`${url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, as: 'token' }),
    });
    expect(await paired.json()).toMatchObject({ roles: ['owner'], token: expect.any(String) });
    expect(await end()).toEqual({ code: 0, signal: null });
  });

  test('an agent acts in its browser over MCP', async () => {
    const site = createServer((_, response) => response.end('<title>Coffee menu</title>')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const address = site.address();
    const page = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const { url, token, browser, end } = await up('--headless', '--local', page);
    await browser;
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    const said = await client.callTool({ name: 'tabs', arguments: { do: 'navigate', url: page } });
    expect(JSON.stringify(said)).toMatch(/^(?!.*"isError":true).*Coffee menu/);
    await client.close();
    expect(await end()).toEqual({ code: 0, signal: null });
  });

  test('the demo plays to its end, with the bundled shop and scripted agent', async () => {
    const { stdout } = await drawbridge('demo', '--auto', '--fast', '--json');
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ event: 'end' });
  });

  test('each example runs', async () => {
    await cp(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
    const said = async (name: string) =>
      (await run(process.execPath, [`examples/${name}.ts`], { cwd: folder, env: environment() })).stdout;
    expect(await said('relay')).toContain("label: 'Example'");
    expect(await said('bridge')).toContain('{ brewed: { cups: 2 } }');
    expect(await said('manifest')).toContain("'checkout.pay'");
    expect(await said('chat')).toContain('session_snapshot');
    expect(await said('runtime')).toContain('Cups');
    expect(await said('task')).toContain('completed Coffee menu');
    const names = (await readdir(join(ROOT, 'examples'))).filter((name) => name.endsWith('.ts'));
    expect(names).toHaveLength(6);
  });

  test('has complete types: the examples compile, and wrong code does not', async () => {
    const compilerOptions = {
      ...{ target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
      ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['examples'] }),
    );
    const check = () => run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    await check();
    const wrong = `import { validateManifest } from 'drawbridge-relay/manifest';
      const checked = validateManifest('{}');
      export const tools: number = checked.ok ? checked.map.tools : 0;`;
    await writeFile(join(folder, 'examples/wrong.ts'), wrong);
    await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining("to type 'number'") });
  });
});

/** Starts `drawbridge up` of the installed package and waits until it listens. */
async function up(...args: readonly string[]) {
  const child = spawn(process.execPath, [program(), 'up', '--json', '--port', '0', ...args], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const heard = (event: string) =>
    new Promise<Record<string, string>>((resolve, reject) => {
      lines.on('line', (line) => {
        const told = JSON.parse(line);
        if (told.event === event) resolve(told);
        if (told.event === 'browser_failed') reject(new Error(told.message));
      });
      lines.once('close', () => reject(new Error(`It ended before "${event}".`)));
    });
  const browser = heard('browser');
  browser.catch(() => {});
  const { url = '', pair_url = '', token = '' } = await heard('listening');
  return {
    ...{ url, pair_url, token, browser },
    async end() {
      child.kill('SIGINT');
      const [code, signal] = await once(child, 'exit');
      return { code, signal };
    },
  };
}
