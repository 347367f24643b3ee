import { BridgeError } from '@drawbridge/protocol';
import { type Attachment, type Injection, refusal } from '../adapter.ts';
import type { Panel } from './panel.ts';
import { stepsBeforePress, TOOLS } from './panel-map.ts';
import { plain } from './transcript-fold.ts';

/** Errors before the first step: nothing has been done. */
const BEFORE_ANYTHING: ReadonlySet<string> = new Set([
  'drift_detected',
  'unsafe_state',
  'state_mismatch',
  'invalid_input',
  'unknown_action',
  'permission_denied',
  'capability_unavailable',
  'runtime_not_ready',
]);

/**
 * Resolves when the page shows the message: its input is empty and the conversation has the text. Returns the
 * number of messages before.
 */
export async function sendMessage(panel: Panel, { text, attachments }: Injection): Promise<number> {
  await panel.look();
  const { draft = '', messages = [] } = panel.view ?? {};
  if (draft !== '' && plain(draft) !== plain(text)) {
    throw refusal('send_injection_failed', 'Somebody is writing in the panel. Send it again later.');
  }
  if (attachments.length > 0) await attach(panel, attachments);
  const { generation } = panel;
  try {
    await panel.call(TOOLS.send, { text });
  } catch (error) {
    if (isBeforePress(error, panel)) throw await notSent(panel, text, error);
    await requireTaken(panel, text, error, generation);
  }
  return messages.length;
}

/** Attaches before typing: a panel without file support gets no half message. */
async function attach(panel: Panel, attachments: readonly Attachment[]): Promise<void> {
  const files = attachments.map(({ name, mime, bytes }) => ({
    name,
    type: mime,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  try {
    await panel.call(TOOLS.attach, { files });
  } catch (error) {
    await panel.blame(TOOLS.attach, error);
    throw refusal('send_injection_failed', `The panel did not take the files. ${wordsOf(error)}`, error);
  }
}

async function notSent(panel: Panel, text: string, error: unknown): Promise<BridgeError> {
  if (holds(panel, text)) await withdraw(panel, text);
  await panel.blame(TOOLS.send, error);
  return refusal(codeFor(error), `The panel did not take the message. ${wordsOf(error)}`, error);
}

/** Decides the outcome after a press without visible effect. */
async function requireTaken(panel: Panel, text: string, error: unknown, generation: number): Promise<void> {
  const isTaken = () => panel.view?.draft === '' && plain(panel.view.lastUser) === plain(text);
  const isOther = () => panel.generation !== generation;
  await panel.until(() => isTaken() || isOther(), panel.verifyMs);
  if (isTaken()) return;
  if (isOther()) throw refusal('delivery_unknown', 'The panel was reloaded during delivery.', error);
  const isBack = holds(panel, text) && (await withdraw(panel, text)) && !isTaken();
  await panel.blame(TOOLS.send, error);
  throw isBack
    ? refusal('send_injection_failed', 'The panel did not send the message: it stayed in the input.', error)
    : refusal('delivery_unknown', `Delivery unknown. ${wordsOf(error)}`, error);
}

const holds = ({ view }: Panel, text: string): boolean => plain(view?.draft ?? '') === plain(text);

const withdraw = (panel: Panel, text: string): Promise<boolean> =>
  panel.call(TOOLS.clear, { text }).then(
    () => true,
    () => false,
  );

function isBeforePress(error: unknown, panel: Panel): boolean {
  if (!(error instanceof BridgeError)) return false;
  const { step } = error.evidence;
  if (typeof step !== 'string') return BEFORE_ANYTHING.has(error.code);
  const map = panel.map();
  return map !== undefined && stepsBeforePress(map, TOOLS.send).has(step);
}

/** CHT-151 */
const codeFor = (error: unknown): 'selector_failure' | 'send_injection_failed' =>
  error instanceof BridgeError && error.code === 'state_mismatch'
    ? 'send_injection_failed'
    : 'selector_failure';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : '');
