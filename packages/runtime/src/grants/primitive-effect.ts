import { BridgeError, type EffectClass } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import type { SurfaceHost } from '../host.ts';
import { pastesClipboard, pressesBlindly, requireOnePress } from './chords.ts';
import { formGrantName } from './form-grants.ts';
import { effectOfPress, type Purpose, readPurpose } from './purpose.ts';
import { type Args, SUBJECTS, type Subject } from './subjects.ts';

export interface WeighedCall {
  readonly effect: EffectClass;
  readonly purpose?: Purpose;
  /** Of everything that it is about: a drag has two ends. */
  readonly purposes?: readonly Purpose[];
  /** The name of the form that an act would send, for a grant. */
  readonly form?: string;
}

/** What acts and is not weighed, and why. Everything else that acts is. */
export const EXEMPT: ReadonlyMap<string, string> = new Map([
  ...['element.hover', 'element.focus', 'dom.focus', 'pointer.move', 'text.select'].map(
    (name) => [name, 'presses nothing and writes nothing'] as const,
  ),
  ...['overlay.open', 'overlay.close'].map((name) => [name, 'is ours, and out of the page’s reach'] as const),
  ...['transfer.write', 'transfer.clear'].map((name) => [name, 'stays within the runtime'] as const),
  ...['clipboard.write', 'clipboard.copy'].map((name) => [name, 'gives the site nothing'] as const),
  ...['browser.navigate', 'browser.open_tab', 'page.fetch'].map(
    (name) => [name, 'gets an address, as following a link does'] as const,
  ),
  ...['browser.claimed_tabs.activate', 'browser.close_tab'].map(
    (name) => [name, 'is about a tab, and can be opened again'] as const,
  ),
]);

interface WeighOptions {
  /** Also what would be sent: for what a person is asked about. */
  readonly content?: boolean;
  /** What page code said when it prepared the press. */
  readonly prepared?: (() => Promise<unknown>) | undefined;
}

/** Weighs a primitive by what it would set off: a heuristic, and said to be one. */
export async function effectOfPrimitive(
  primitive: PrimitiveSpec,
  args: Args,
  host: SurfaceHost,
  { content = false, prepared }: WeighOptions = {},
): Promise<WeighedCall> {
  const { name, effect } = primitive;
  if (effect !== 'act' || EXEMPT.has(name)) return { effect };
  requireOnePress(name, args);
  if (name === 'browser.dismiss_dialog') return weighAnswer(args, host);
  if (readsClipboard(name, args))
    return { effect: 'irreversible', purpose: CLIPBOARD, purposes: [CLIPBOARD] };
  const subjectsOf = SUBJECTS.get(name);
  // A primitive that nobody has thought about yet.
  if (subjectsOf === undefined) return { effect: 'irreversible' };
  const answers =
    prepared === undefined
      ? await purposesOf(name, await subjectsOf(args, host), host, content)
      : await prepared();
  // Nobody is asked about what is not there.
  if (answers === null) throw nothingThere(name, args);
  const purposes = [answers].flat().map(readPurpose);
  const [first = readPurpose(undefined)] = purposes;
  // Of several that weigh the same, the innermost is the one that will be pressed.
  const purpose =
    purposes.findLast((each) => effectOfPress(each) === 'irreversible') ??
    purposes.findLast(({ form, sends }) => form !== undefined && sends !== 'never') ??
    first;
  const weight = pressesBlindly(name, args) ? 'irreversible' : effectOfPress(purpose);
  if (weight !== 'act' || purpose.form === undefined || purpose.sends === 'never')
    return { effect: weight, purpose, purposes };
  return { effect: weight, purpose, purposes, form: await formGrantName(purpose.form, purpose.origin) };
}

/** The heavier counts of all that would be reached. */
async function purposesOf(
  name: string,
  subjects: readonly Subject[],
  host: SurfaceHost,
  content: boolean,
): Promise<readonly unknown[]> {
  const told = subjects.map(async (subject) => {
    const answer = await host.callPage('act.purpose', [{ ...subject, ...(content && { content }) }]);
    if (answer === null) throw nothingThere(name, subject);
    return answer;
  });
  return (await Promise.all(told)).flat();
}

function nothingThere(name: string, { by: _, choice: __, ...whom }: Subject | Args): BridgeError {
  const message = `${name} found nothing there. Take a snapshot and use an id from it.`;
  return new BridgeError('target_not_found', message, { evidence: whom });
}

const KNOWN = { submits: true, sensitive: true, secret: false } as const;

/** The page does not answer while its dialog is open; what it says is told by the browser. */
function weighAnswer({ accept }: Args, { dialogs }: SurfaceHost): WeighedCall {
  const open = dialogs?.open();
  if (open === undefined) return { effect: 'act' };
  const purpose = { ...KNOWN, label: open.message === '' ? `the page’s ${open.dialog}` : open.message };
  const effect = accept === true && open.dialog !== 'alert' ? 'irreversible' : 'act';
  return { effect, purpose, purposes: [purpose] };
}

const CLIPBOARD: Purpose = {
  ...KNOWN,
  label: 'the clipboard of this computer: what was copied last, in whatever program, would leave it',
};

function readsClipboard(name: string, args: Args): boolean {
  if (name === 'clipboard.paste') return args['text'] === undefined && args['html'] === undefined;
  return name === 'clipboard.read' || pastesClipboard(name, args);
}
