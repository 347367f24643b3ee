import type { ChatFeature } from '@drawbridge/protocol';
import type { BackoffOptions } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { SocketLike } from '../socket-like.ts';
import type { FrameOf, ResumePoint } from './chat-link.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface ChatOptions
  extends Pick<
    FrameOf<'connection_hello'>,
    'peer_role' | 'client_name' | 'client_version' | 'client_id' | 'machine_label'
  > {
  /** `ws://…/ws/chat` or `wss://…`. */
  readonly url: string;
  /** Without it a browser shows its cookie. */
  readonly token?: string;
  /** A further subprotocol for each socket: a browser's proof. */
  readonly proof?: () => Promise<string | undefined>;
  /** Frames beyond the protocol that the caller understands (CHT-258); the link itself adds those it handles. */
  readonly features?: readonly ChatFeature[];
  /** Where the caller's own record of the sessions ends. */
  readonly resume?: ResumePoint;
  /** In memory unless given: what is unanswered is then lost with the process. */
  readonly outbox?: OutboxStore;
  /** The status of a request with the same credential: a WebSocket does not show that it was refused with 401. */
  readonly checkCredential?: () => Promise<number>;
  readonly backoff?: BackoffOptions;
  /** How long opening and the first answer may take. */
  readonly openTimeoutMs?: number;
  /** More than this unsent in the socket's own buffer means that the peer reads too slowly. */
  readonly maxBufferedBytes?: number;
  readonly open?: (url: string, protocols: string[]) => SocketLike;
  readonly clock?: Clock;
  readonly newId?: () => string;
  /** Calls back when the link should look whether it is still alive. */
  readonly onWakeUp?: (wake: () => void) => () => void;
}
