import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { Bridge } from '@drawbridge/bridge';
import { connectWebSocket } from '@drawbridge/link';
import { serveItems } from '@drawbridge/link/node';
import type { Connect } from '@drawbridge/runtime/node';
import { listenOnLoopback, startFaultProxy } from '@drawbridge/testbed';

const FORM = `<title>Ledger</title><input id="entry"><button id="send"
 onclick="fetch('/entry?' + encodeURIComponent(entry.value), { keepalive: true })">Send</button><a id="on" href="/two">On</a>`;

/** A site that counts every submission. */
export async function startLedgerSite() {
  const entries: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/entry') entries.push(decodeURIComponent(search.slice(1)));
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html>${pathname === '/elsewhere' ? 'Nothing to fill in here.' : FORM}`);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    entries,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const send = (step: string) => [
  {
    id: `write_${step}`,
    primitive: 'text.insert',
    args: { text: `{% input.id & '-${step}' %}`, mode: 'replace', target: { selector: '#entry' } },
  },
  { id: `find_${step}`, primitive: 'locator.element_info', args: { locator: { selector: '#send' } } },
  {
    id: `send_${step}`,
    primitive: 'pointer.click',
    args: {
      x: `{% steps.find_${step}.output.clickable_center.x %}`,
      y: `{% steps.find_${step}.output.clickable_center.y %}`,
    },
  },
];

/** Submits two entries, goes to the next page, and submits two more. */
export const LEDGER_MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'ledger.enter',
      description: 'Sends four entries, two on each of two pages.',
      input_schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [
          ...send('a'),
          ...send('b'),
          { id: 'find_on', primitive: 'locator.element_info', args: { locator: { selector: '#on' } } },
          {
            id: 'go_on',
            primitive: 'pointer.click',
            args: {
              x: '{% steps.find_on.output.clickable_center.x %}',
              y: '{% steps.find_on.output.clickable_center.y %}',
            },
          },
          {
            id: 'arrive',
            primitive: 'locator.wait_for',
            args: { locator: { selector: '#send' }, timeout_ms: 5_000 },
          },
          ...send('c'),
          ...send('d'),
        ],
        output: '{% input.id %}',
      },
      x_actions: { effect: 'act' },
    },
  ],
};

/** Connects runtimes to their bridge over a real socket that can be cut. */
export async function openWire() {
  let bridge: Bridge | undefined;
  const hosts = new Set<string>();
  const server = await serveItems({
    hosts,
    authorize: () => 'device',
    onConnection(link) {
      const connection = bridge?.connectRuntime({ send: link.send, close: link.close });
      link.onItem((item) => connection?.receive(item));
      link.onState((state) => {
        if (state.kind === 'closed') connection?.close(state.error.message);
      });
    },
  });
  const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: server.port }, seed: 1 });
  hosts.add(`127.0.0.1:${proxy.port}`);
  const connect =
    (to: Bridge): Connect =>
    (receive, announce) => {
      bridge = to;
      const link = connectWebSocket({
        url: `ws://127.0.0.1:${proxy.port}/ws/runtime`,
        token: 'token',
      });
      link.onItem(receive);
      link.onState((state) => {
        if (state.kind === 'open' && !state.resumed) announce();
      });
      return { send: link.send, close: link.close };
    };
  return {
    connect,
    cut: () => proxy.cut(),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await server.close();
    },
  };
}

/** Kills every Chromium that this process started. */
export function killBrowsers(): void {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  for (const [, pid] of children.matchAll(/^\s*(\d+) .*--remote-debugging-pipe/gm))
    process.kill(Number(pid), 'SIGKILL');
}
