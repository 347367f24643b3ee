import { BridgeError } from '@drawbridge/protocol';
import type { Actor } from '../call/declared-call.ts';
import type { AttachmentNeed } from './attachment-desk.ts';
import type { HandOver } from './hand-over.ts';
import type { SignalDesk } from './signal-desk.ts';

export interface AttachmentNeedsOptions {
  readonly signals: Pick<SignalDesk, 'tell'>;
  readonly handOver: HandOver;
  /** The actor of the press being handled. */
  readonly actor: () => Actor;
  readonly open: (tool: string, args: Readonly<Record<string, unknown>>, actor: Actor) => Promise<void>;
  readonly url: () => string;
  readonly report: (error: BridgeError) => void;
}

const TROUBLES = {
  drift: 'drift_detected',
  missing: 'target_not_found',
  warning: 'invalid_result',
} as const;

/** Handles requests of an attachment beyond the page. */
export function createAttachmentNeeds(options: AttachmentNeedsOptions): (need: AttachmentNeed) => void {
  const { signals, handOver, actor, open, url, report } = options;
  return (need) => {
    if (need.type === 'signal') signals.tell(need.name, need.payload);
    else if (need.type === 'run_tool') void open(need.tool, need.arguments, actor());
    else if (need.type === 'prompt_person') void handOver(need.id, need.message);
    else {
      const evidence = { attachment: need.id, url: url() };
      report(new BridgeError(TROUBLES[need.type], need.message, { evidence }));
    }
  };
}
