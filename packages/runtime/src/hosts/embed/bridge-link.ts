import { connectPolling, connectWebSocket, type ItemLink } from '@drawbridge/link';
import { BridgeError } from '@drawbridge/protocol';

/** Runtime endpoint of a bridge: `wss://…/ws/runtime`, or `https://…/bridge/runtime/items` to poll. */
export interface BridgeAddress {
  readonly url: string;
  readonly token: string;
}

export function connectBridge({ url, token }: BridgeAddress): ItemLink {
  if (/^wss?:/.test(url)) return connectWebSocket({ url, token });
  if (/^https?:/.test(url)) return connectPolling({ url, token });
  throw new BridgeError('invalid_input', 'The address of a bridge begins with ws, wss, http or https.', {
    evidence: { path: 'bridge.url' },
  });
}
