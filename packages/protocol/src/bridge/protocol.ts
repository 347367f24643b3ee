import { bridgeChecks } from '../generated/bridge-checks.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineProtocol, kindFrom } from '../wire/protocol.ts';
import { BRIDGE_ITEMS, type BridgeItem } from './items.ts';

export const bridge = defineProtocol<BridgeItem>({
  noun: 'bridge item',
  maxChars: LIMITS.frame.value,
  refuseWith: 'invalid_input',
  schemas: BRIDGE_ITEMS,
  checks: bridgeChecks,
  kindOf: kindFrom('type'),
});
