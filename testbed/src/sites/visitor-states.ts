import { randomUUID } from 'node:crypto';
import type { Call } from '@drawbridge/demo-shop/http-site';

/** What a site remembers of each browser, so that two tests at once never meet. */
export type VisitorStates<State> = {
  /** Answers with the visitor's own state, which is made on the first visit. */
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
