import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CoreClock } from '../../core/ports.ts';
import { pathOf } from './open-paths.ts';

/** Files are large and may come over slow lines. */
const isUpload = (request: IncomingMessage): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/files';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Ends a request whose body does not arrive: each would hold its connection and its route for minutes. */
export function limitBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  clock: Pick<CoreClock, 'after'>,
  seconds: number,
): void {
  if (!hasBody(incoming) || isUpload(incoming)) return;
  const cancel = clock.after(seconds * 1_000, () => {
    if (incoming.complete) return;
    if (!outgoing.headersSent) {
      const message = `The body did not come within ${seconds} s. Send it again.`;
      outgoing.writeHead(408, { 'content-type': 'application/json', connection: 'close' });
      outgoing.end(JSON.stringify({ error: { code: 'request_timeout', message } }), () => incoming.destroy());
    } else incoming.destroy();
  });
  incoming.once('end', cancel);
  outgoing.once('close', cancel);
}
