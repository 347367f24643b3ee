import type { IncomingMessage } from 'node:http';

/** A client that left before its request was read whole is no fault of ours. */
export const isHangUp = ({ destroyed, complete }: IncomingMessage, error: unknown): boolean =>
  destroyed && !complete && error instanceof Error && LEFT.has('code' in error ? error.code : error.name);

const LEFT: ReadonlySet<unknown> = new Set([
  ...['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'AbortError'],
]);
