import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@drawbridge/testbed';

export interface Task {
  readonly id: string;
  readonly page: string;
  readonly kind: string;
  readonly task: string;
  /** Accepted answers; the page decides a task without them. */
  readonly expect?: readonly string[];
}

export interface TaskPages {
  readonly tasks: readonly Task[];
  urlOf(task: Task): string;
  /** Forgets earlier verdicts: only reports of this page count from now on. */
  open(task: Task): void;
  verdict(): boolean | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
};

/** Beacons may overtake each other, so each report carries its time. */
const REPORT_SCRIPT = `{
  const to = new URL('/report', document.currentScript.src).href;
  let last = 0;
  window.report = (solved) => {
    last = Math.max(last + 0.001, performance.timeOrigin + performance.now());
    navigator.sendBeacon(to, JSON.stringify({ page: new URL(document.baseURI).pathname, solved: solved === true, at: last }));
  };
}`;

export const readTasks = (folder: string): readonly Task[] =>
  JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8'));

/** Serves a folder of pages from loopback and keeps the last verdict of the open one. */
export async function serveTaskPages(folder: string): Promise<TaskPages> {
  const tasks = readTasks(folder);
  let prefix = '';
  let last: Report | undefined;

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    if (path === '/report') {
      const report: Report = JSON.parse(await text(request));
      if (report.page.startsWith(prefix) && report.at > (last?.at ?? 0)) last = report;
      response.writeHead(204).end();
      return;
    }
    if (path === '/report.js') {
      response
        .writeHead(200, { 'content-type': TYPES['.js'], 'cache-control': 'no-store' })
        .end(REPORT_SCRIPT);
      return;
    }
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const file = normalize(path);
    try {
      const body = readFileSync(join(folder, file));
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const port = await listenOnLoopback(server);
  return {
    tasks,
    urlOf: ({ page }) => `http://127.0.0.1:${port}/${page}`,
    open({ page }) {
      prefix = `/${page.replace('.html', '')}`;
      last = undefined;
    },
    verdict: () => last?.solved,
  };
}

interface Report {
  readonly page: string;
  readonly solved: boolean;
  readonly at: number;
}
