import { join } from 'node:path';
import { html } from '@drawbridge/demo-shop/html';
import { type Call, openSite, type Route } from '@drawbridge/demo-shop/http-site';
import { htmlReply } from '@drawbridge/demo-shop/replies';
import { PANELS, type PanelName } from './drifts.ts';

/** An actual send or press in a panel, independent of its display. */
export interface PanelLog {
  readonly kind: 'sent' | 'pressed';
  readonly text: string;
}

export interface PanelTwins {
  /** The webview of a panel: its document contains the frame with the panel. */
  readonly webview: (panel: PanelName, options?: TwinOptions) => string;
  /** An editor window around it. The webview in it is of another site, as in real editors. */
  readonly workbench: (panel: PanelName, options?: TwinOptions) => string;
  readonly log: (id: string) => readonly PanelLog[];
  readonly close: () => Promise<void>;
}

export interface TwinOptions {
  readonly id?: string;
  /** Number of the later version, from 1. */
  readonly drift?: number;
}

const EXTENSIONS: Readonly<Record<PanelName, string>> = {
  claude: 'Anthropic.claude-code',
  codex: 'openai.chatgpt',
  gemini: 'google.geminicodeassist',
};
const HOST = '127.0.0.1';
/** A different site for the browser. */
const ELSEWHERE = 'localhost';

/** `onEntry` is called before the panel continues. */
export async function startPanelTwins({
  onEntry = () => {},
}: {
  readonly onEntry?: (id: string, entry: PanelLog) => void;
} = {}): Promise<PanelTwins> {
  const site = await openSite(HOST, 0);
  const logs = new Map<string, PanelLog[]>();
  const scripts = await clientScripts();
  const webviewAt = (host: string, panel: PanelName, { id = panel, drift }: TwinOptions): string => {
    const address = new URL('/webview/index.html', `http://${host}:${site.port}`);
    const version = drift === undefined ? {} : { drift: String(drift) };
    const named = { id, parentId: '1', extensionId: EXTENSIONS[panel], ...version };
    address.search = new URLSearchParams(named).toString();
    return address.href;
  };
  const routes: readonly Route[] = [
    { method: 'GET', path: '/workbench.html', answer: ({ url }) => workbenchPage(url) },
    { method: 'GET', path: '/webview/index.html', answer: webviewPage },
    { method: 'GET', path: '/webview/fake.html', answer: panelPage },
    {
      method: 'GET',
      path: '/panel/:name.js',
      answer: ({ params }) =>
        new Response(scripts.get(params['name'] ?? ''), { headers: { 'content-type': 'text/javascript' } }),
    },
    {
      method: 'POST',
      path: '/log',
      async answer({ url, request }) {
        const id = url.searchParams.get('panel') ?? '';
        const entry = trustEntry(await request.json());
        logs.set(id, [...(logs.get(id) ?? []), entry]);
        onEntry(id, entry);
        return new Response(null, { status: 204 });
      },
    },
  ];
  site.serve(routes);
  return {
    webview: (panel, options = {}) => webviewAt(HOST, panel, options),
    workbench: (panel, options = {}) => {
      const webview = encodeURIComponent(webviewAt(ELSEWHERE, panel, options));
      return `http://${HOST}:${site.port}/workbench.html?webview=${webview}`;
    },
    log: (id) => logs.get(id) ?? [],
    close: () => site.close(),
  };
}

function panelOf(url: URL): PanelName {
  const extension = url.searchParams.get('extensionId');
  return PANELS.find((name) => EXTENSIONS[name] === extension) ?? 'claude';
}

function workbenchPage(url: URL): Response {
  const source = url.searchParams.get('webview') ?? '';
  return htmlReply(html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>notes.ts — garden — Code</title></head>
  <body><textarea id="editor" aria-label="Editor" autofocus>const a = 1;</textarea><iframe class="webview ready" style="width:600px;height:500px" src="${source}"></iframe></body>
</html>`);
}

const webviewPage = ({ url }: Call): Response =>
  htmlReply(html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${panelOf(url)}</title></head>
  <body style="margin:0"><iframe id="active-frame" style="border:0;width:100vw;height:100vh" src="${`/webview/fake.html${url.search}`}"></iframe></body>
</html>`);

const panelPage = ({ url }: Call): Response =>
  htmlReply(html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${panelOf(url)}</title></head>
  <style>
    body { display: flex; flex-direction: column; height: 100vh; margin: 0 }
    [contenteditable] { border: 1px solid; min-height: 2em; white-space: pre-wrap }
    main, chat-history, [class^="messagesContainer_"] { flex: 1; overflow: auto; min-height: 0 }
    chat-history, chat-history-item { display: block }
  </style>
  <body data-panel="${panelOf(url)}"><script type="module" src="${`/panel/${panelOf(url)}.js`}"></script></body>
</html>`);

let bundling: Promise<ReadonlyMap<string, string>> | undefined;

/** One script per panel, bundled once per process. */
function clientScripts(): Promise<ReadonlyMap<string, string>> {
  bundling ??= (async () => {
    const { rolldown } = await import('rolldown');
    const scripts = PANELS.map(async (name) => {
      const input = join(import.meta.dirname, 'client', `${name}.ts`);
      const bundle = await rolldown({ input, platform: 'browser', tsconfig: false });
      const { output } = await bundle.generate({ format: 'esm' });
      await bundle.close();
      return [name, output[0].code] as const;
    });
    return new Map(await Promise.all(scripts));
  })();
  return bundling;
}

/** Written by the panels' own script. */
function trustEntry(value: unknown): PanelLog {
  return value as PanelLog;
}
