import { randomUUID } from 'node:crypto';
import type { Call } from '@drawbridge/demo-shop/http-site';

/** State per browser, so that concurrent tests do not interfere. */
export type VisitorStates<State> = {
  /** Replies with the visitor's state, which is created on the first visit. */
  answer(call: Call, reply: (state: State) => Response): Response;
  clear(): void;
};

export function createVisitorStates<State>(site: string, make: () => State): VisitorStates<State> {
  const states = new Map<string, State>();
  return {
    answer(call, reply) {
      // Cookies ignore the port: without it in the name, two sites in one browser would share visitors.
      const name = `${site}_${call.url.port}`;
      const known = states.get(readCookie(call.request, name));
      if (known !== undefined) return reply(known);
      const [key, state] = [randomUUID(), make()];
      states.set(key, state);
      const response = reply(state);
      response.headers.append('set-cookie', `${name}=${key}; Path=/; HttpOnly; SameSite=Lax`);
      return response;
    },
    clear: () => states.clear(),
  };
}

function readCookie(request: Request, name: string): string {
  const cookies = request.headers.get('cookie')?.split('; ') ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
