import type { Html } from './html.ts';

export function htmlReply(page: Html, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(page.html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

export function jsonReply(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { 'cache-control': 'no-store' } });
}

export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

/** A form field as text; '' for a missing field and a file. */
export function fieldReader(form: FormData): (name: string) => string {
  return (name) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
}
