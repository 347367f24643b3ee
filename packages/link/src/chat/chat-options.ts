import type { BackoffOptions, Clock } from '@drawbridge/base';
import type { ChatFeature } from '@drawbridge/protocol';
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
  /** Without it a browser sends its cookie. */
  readonly token?: string;
  /** An additional subprotocol per socket: a browser's proof. */
  readonly proof?: () => Promise<string | undefined>;
  /** Features of the caller beyond the protocol (CHT-258); the link adds those it handles. */
  readonly features?: readonly ChatFeature[];
  /** End of the caller's own record of the sessions. */
  readonly resume?: ResumePoint;
  /** In memory by default, where unanswered messages are lost with the process. */
  readonly outbox?: OutboxStore;
  /** The status of a request with the same credential: a WebSocket does not reveal a 401. */
  readonly checkCredential?: () => Promise<number>;
  readonly backoff?: BackoffOptions;
  /** Timeout of the open and the first answer. */
  readonly openTimeoutMs?: number;
  /** Above this much unsent data in the socket's buffer, the peer reads too slowly. */
  readonly maxBufferedBytes?: number;
  readonly open?: (url: string, protocols: string[]) => SocketLike;
  readonly clock?: Clock;
  readonly newId?: () => string;
  /** Calls back when the link should probe its connection. */
  readonly onWakeUp?: (wake: () => void) => () => void;
}
