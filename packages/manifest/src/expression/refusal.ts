import { BridgeError } from '@drawbridge/protocol';
import type { Refusal } from './messages.ts';

export const toBridgeError = ({ code, message, evidence }: Refusal): BridgeError =>
  new BridgeError(code, message, { evidence });
