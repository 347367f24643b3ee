import type { IncomingMessage } from 'node:http';
import type { Shown } from '../../devices/door.ts';
import type { Credentials } from './credentials.ts';

/** Looks a request's credential up once: a failure that is asked about twice would count twice (CHT-96). */
export function shownOnce(
  credentials: Credentials,
  onKnown: (request: IncomingMessage) => void,
): Credentials {
  const known = new WeakMap<IncomingMessage, Promise<Shown>>();
  return {
    ...credentials,
    identify(request, origin) {
      const before = known.get(request);
      if (before !== undefined) return before;
      const shown = credentials.identify(request, origin).then((it) => {
        if (typeof it === 'object') onKnown(request);
        return it;
      });
      known.set(request, shown);
      return shown;
    },
    async identifyForTasks(request, origin) {
      const shown = await credentials.identifyForTasks(request, origin);
      if (typeof shown === 'object') onKnown(request);
      return shown;
    },
  };
}
