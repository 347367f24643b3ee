import type { IncomingMessage } from 'node:http';
import type { Shown } from '../../devices/door.ts';
import type { Credentials } from './credentials.ts';

/** Looks a request's credential up once: a failure that is asked about twice would count twice (CHT-96). */
export function shownOnce(credentials: Credentials): Credentials {
  const known = new WeakMap<IncomingMessage, Promise<Shown>>();
  return {
    ...credentials,
    identify(request, origin) {
      const before = known.get(request);
      if (before !== undefined) return before;
      const shown = credentials.identify(request, origin);
      known.set(request, shown);
      return shown;
    },
  };
}
