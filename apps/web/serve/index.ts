import { builtFiles } from './built-files.ts';
import { readStaticFiles, type StaticFile, staticFile } from './static-files.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'no-cache';

/**
 * The web app for the relay's option `web`. Builds on the first request, because most relays in tests are
 * never opened. `command` calls Drawbridge in a terminal of this machine: the pages show it.
 */
export function webApp(
  locate: () => Promise<string> = builtFiles,
  command = 'drawbridge',
): (request: Request) => Promise<Response> {
  let files: Promise<ReadonlyMap<string, StaticFile>> | undefined;
  return async (request) => {
    try {
      files ??= locate()
        .then(readStaticFiles)
        .then((read) => withCommand(read, command));
      return answer(await files, request);
    } catch (error) {
      files = undefined;
      const message = error instanceof Error ? error.message : String(error);
      return new Response(`Drawbridge's web app is not there.\n\n${message}\n`, { status: 503 });
    }
  };
}

const PAGE = '/index.html';
const COMMAND_TAG = '<meta name="drawbridge-command" content="drawbridge"';

async function withCommand(
  files: ReadonlyMap<string, StaticFile>,
  command: string,
): Promise<ReadonlyMap<string, StaticFile>> {
  const page = files.get(PAGE);
  if (page === undefined || command === 'drawbridge') return files;
  const escaped = command.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const text = new TextDecoder()
    .decode(page.plain)
    .replace(COMMAND_TAG, () => COMMAND_TAG.replace('"drawbridge"', () => `"${escaped}"`));
  return new Map([...files, [PAGE, await staticFile(page.type, new TextEncoder().encode(text))]]);
}

function answer(files: ReadonlyMap<string, StaticFile>, request: Request): Response {
  const { pathname } = new URL(request.url);
  const isAsset = pathname.startsWith('/assets/');
  // Every screen has its own address and the same page.
  const file = files.get(pathname) ?? (isAsset || hasExtension(pathname) ? undefined : files.get(PAGE));
  if (file === undefined) return new Response('There is nothing here.', { status: 404 });
  const { type, etag, plain, gzipped } = file;
  const headers = new Headers({
    'content-type': type,
    'cache-control': isAsset ? FOR_EVER : ASK_FIRST,
    etag,
    vary: 'accept-encoding',
  });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  if (!acceptsGzip(request)) return new Response(plain, { headers });
  headers.set('content-encoding', 'gzip');
  return new Response(gzipped, { headers });
}

const hasExtension = (path: string): boolean => /\.[a-z0-9]+$/i.test(path);

const acceptsGzip = ({ headers }: Request): boolean =>
  /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/.test(headers.get('accept-encoding') ?? '');
