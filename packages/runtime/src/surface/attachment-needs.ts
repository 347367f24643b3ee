import { BridgeError } from '@drawbridge/protocol';
import type { Actor } from '../call/declared-call.ts';
import type { AskPerson } from './ask-person.ts';
import type { AttachmentNeed } from './attachments.ts';
import type { Signals } from './signals.ts';

export interface AttachmentNeedsOptions {
  readonly signals: Pick<Signals, 'publish'>;
  readonly askPerson: AskPerson;
  /** The actor of the press being handled. */
  readonly actor: () => Actor;
  readonly open: (tool: string, args: Readonly<Record<string, unknown>>, actor: Actor) => Promise<void>;
  readonly url: () => string;
  readonly report: (error: BridgeError) => void;
}

const PROBLEMS = {
  drift: 'drift_detected',
  missing: 'target_not_found',
  warning: 'invalid_result',
} as const;

/** Handles requests of an attachment beyond the page. */
export function createAttachmentNeeds(options: AttachmentNeedsOptions): (need: AttachmentNeed) => void {
  const { signals, askPerson, actor, open, url, report } = options;
  return (need) => {
    if (need.type === 'signal') signals.publish(need.name, need.payload);
    else if (need.type === 'run_tool') void open(need.tool, need.arguments, actor());
    else if (need.type === 'prompt_person') void askPerson(need.id, need.message);
    else {
      const evidence = { attachment: need.id, url: url() };
      report(new BridgeError(PROBLEMS[need.type], need.message, { evidence }));
    }
  };
}
