import { MASK } from '@drawbridge/protocol/secrets';
import type { Fingerprint } from '../identity/element-registry.ts';
import { lineOf } from '../perceive/composed-tree.ts';
import { cutText, tidy } from '../perceive/text.ts';
import { repeatsSecret, selectedAround } from '../secrets/scrub.ts';
import { isField, isSecretField, rawValueOf } from '../secrets/secret-field.ts';
import { type Background, isInBackground } from '../watch/background.ts';
import type { PageEvent } from '../watch/page-event.ts';
import { animationTarget, isOlder, wasTouched } from '../watch/settling.ts';
import type { StabilityReason } from '../watch/stability.ts';
import { isLegible, isOutOfView } from './appearance.ts';
import type { Drawing } from './drawings.ts';
import { firstOf, firstWords, listed, type NodeEdit, nodeChanges } from './node-changes.ts';
import { lineIn, type NodeState, type PageState } from './page-state.ts';
import {
  type Clean,
  kindAndName,
  labelOf,
  textWords,
  type VisibleChange,
  visibleChanges,
} from './visible-change.ts';

/** Observed effect of an action. */
export interface Effect {
  /** False: nothing that a person could see has changed, apart from the focus and the background. */
  readonly happened: boolean;
  readonly url?: { readonly from: string; readonly to: string };
  readonly navigation?: 'document' | 'same_document';
  readonly download?: string;
  readonly added: readonly NodeState[];
  readonly removed: readonly NodeState[];
  readonly changed: readonly NodeEdit[];
  /** Nodes that the page re-rendered unchanged: their old ids heal to the new ones. */
  readonly renewed?: number;
  /** Ids whose names changed in a number alone. */
  readonly recounted?: readonly string[];
  /** How many more there were than listed. */
  readonly more?: number;
  /** These, in words: `12 new btn: Edit, Delete, …`. */
  readonly unlisted?: readonly string[];
  /** Visible changes beyond those of the listed nodes, in words, the smallest thing each. */
  readonly seen?: readonly string[];
  /** Only focus, hover or active styles around the target changed. */
  readonly focus_only?: true;
  /** Changed too, but did so by itself before the action. */
  readonly background?: readonly string[];
  /** A drawing in view cannot be read here. */
  readonly drawing?: 'not observed';
  /** The act set a timer: more may come. */
  readonly timer?: true;
  /** How long the page was watched. */
  readonly watched_ms?: number;
  /** The id of the focused element; null when nothing is focused. */
  readonly focus?: string | null;
  readonly scrolled?: true;
  readonly dialogs: readonly string[];
  readonly requests: number;
  readonly errors: readonly string[];
  readonly successes: readonly string[];
  /** Other messages that appeared, including those that disappeared again. */
  readonly messages: readonly string[];
  readonly settled: StabilityReason;
}

const MOST_EVENTS = 10;
const MOST_SEEN = 6;
const MOST_BACKGROUND = 3;
/** A box without words came or went: other changes say more. */
const BARE = /^(?:new|gone): (?:div|span|p|li|ul|i|b|em|svg|g|path|section|article)$/;

export interface Drawings {
  readonly before: ReadonlyMap<Element, Drawing>;
  /** Read again just before the act: one that differs moves by itself. */
  readonly again: ReadonlyMap<Element, Drawing>;
  readonly after: ReadonlyMap<Element, Drawing>;
}

/** Words for a secret field that an action wrote in: the same for every value. */
export type Written = 'changed' | 'not compared';

export interface Between {
  readonly before: PageState;
  readonly after: PageState;
  readonly drawings: Drawings;
  readonly background: Background;
  readonly begunAt: number;
  readonly watchedMs: number;
  readonly hasTimer?: boolean;
  readonly events: readonly PageEvent[];
  readonly steps: readonly { readonly to: string; readonly kind: string }[];
  readonly requests: number;
  readonly settled: StabilityReason;
  /** A press focuses its target, which does not count as an effect. */
  readonly acted: Element | undefined;
  /** Set for an action that may write the value of the target, or of the focused field. */
  readonly written?: Written | undefined;
  readonly idOf: (element: Element) => string;
  readonly elementOf: (id: string) => Element | undefined;
  /** How the agent last saw an element. */
  readonly rememberedOf: (id: string) => Fingerprint | undefined;
  readonly clean: Clean;
}

export function effectBetween(between: Between): Effect {
  const { before, after, events, steps, requests, settled, clean } = between;
  const nodes = nodeChanges(between);
  const sights = sightsOf(between);
  const texts = (...kinds: string[]) =>
    [...new Set(events.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text))].slice(
      -MOST_EVENTS,
    );
  const leaving = steps.findLast(({ kind }) => kind === 'document');
  const to = leaving === undefined ? after.url : leaving.to || after.url;
  const download = steps.findLast(({ kind }) => kind === 'download');
  const moved = leaving !== undefined || to !== before.url;
  const hasFocusMoved = before.focus !== after.focus && !isOwnFocus(between);
  const scrolled = [...after.scroll].some(([box, place]) => (before.scroll.get(box) ?? place) !== place);
  const told = new Set([...nodes.added, ...nodes.changed].flatMap(({ i }) => between.elementOf(i) ?? []));
  const untold = sights.real.filter(({ element, kind }) => kind === 'gone' || !isWithin(element, told));
  const isFocusOnly = sights.focus.length > 0 || (before.focus !== after.focus && !hasFocusMoved);
  const happened =
    moved ||
    download !== undefined ||
    (hasFocusMoved && after.focus !== undefined) ||
    scrolled ||
    nodes.added.length + nodes.removed.length + nodes.changed.length + events.length > 0 ||
    sights.real.length > 0;
  const inWords = (all: readonly VisibleChange[], most: number) => {
    const told = new Set(all.map((each) => cutText(tidy(clean(withId(each, between))), 200)));
    const telling = [...told].filter((words) => !BARE.test(words));
    const shown = telling.length > 0 ? telling : [...told];
    if (shown.length <= most) return shown;
    const rest = shown.slice(most).map((words) => firstWords(words));
    return [...shown.slice(0, most), `… ${rest.length} more: ${firstOf(rest)}`];
  };
  return {
    happened,
    ...(moved && { url: { from: clean(before.url), to: clean(to) } }),
    ...(moved && { navigation: leaving === undefined ? ('same_document' as const) : ('document' as const) }),
    ...(download && { download: clean(download.to) }),
    ...listed(nodes, between),
    ...(untold.length > 0 && { seen: inWords(untold, MOST_SEEN) }),
    ...(!happened && isFocusOnly && { focus_only: true as const }),
    ...(sights.background.length > 0 && { background: inWords(sights.background, MOST_BACKGROUND) }),
    ...(!happened && hasUnreadDrawing(between) && { drawing: 'not observed' as const }),
    ...(!happened && between.hasTimer === true && { timer: true as const }),
    watched_ms: Math.round(between.watchedMs),
    ...(hasFocusMoved && { focus: after.focus === undefined ? null : between.idOf(after.focus) }),
    ...(scrolled && { scrolled: true as const }),
    dialogs: texts('dialog'),
    requests,
    errors: texts('error'),
    successes: texts('success'),
    messages: texts('added', 'changed', 'closed'),
    settled,
  };
}

/** An element without words, or with a number alone, is named by its id, if the agent knows one, or by its row. */
function withId({ element, kind, words }: VisibleChange, { after, idOf }: Between): string {
  const isBare = (kind === 'style' || kind === 'place') && words.startsWith(`${element.localName}: `);
  const isNumber = kind === 'text' && /^text: [^\p{L}]+$/u.test(words);
  if (!isBare && !isNumber) return words;
  const row = cutText(tidy(withoutNumbers(after.marksOf(element).belongs ?? '')), MOST_ROW);
  if (isNumber) return /\p{L}/u.test(row) ? `${row}${words.slice(4)}` : words;
  const id = idOf(element);
  const name = after.nodes.has(id) ? id : `${element.localName}${row && ` (${row})`}`;
  return `${name}${words.slice(element.localName.length)}`;
}

/** The count itself is no name. */
const withoutNumbers = (text: string): string => text.replace(/[\d.,]+/g, ' ');

const MOST_ROW = 40;

/** The target took the focus, or something in or around it, or the control of a label. */
function isOwnFocus({ acted, after: { focus } }: Between): boolean {
  if (acted === undefined || focus === undefined) return false;
  const control: unknown = Reflect.get(acted, 'control');
  return focus === control || lineOf(acted).includes(focus) || lineOf(focus).includes(acted);
}

const isWithin = (element: Element, all: ReadonlySet<Element>): boolean =>
  all.size > 0 && lineOf(element).some((outer) => all.has(outer));

interface Sights {
  readonly real: readonly VisibleChange[];
  readonly focus: readonly VisibleChange[];
  readonly background: readonly VisibleChange[];
}

/** Visible changes by their cause. */
function sightsOf(between: Between): Sights {
  const { before, after, background, acted, clean } = between;
  const real: VisibleChange[] = [];
  const focus: VisibleChange[] = [];
  const alone: VisibleChange[] = [];
  const pointed = [acted, before.focus, after.focus, before.hovered, after.hovered].flatMap(
    (element) => element ?? [],
  );
  const around = new Set(pointed.flatMap(lineOf));
  const isPointed = (element: Element) =>
    around.has(element) || pointed.some((outer) => lineOf(element).includes(outer));
  const olderMoves = new Set(
    document.getAnimations().flatMap((animation) => {
      const moved = isOlder(animation, between.begunAt) ? animationTarget(animation) : undefined;
      return moved ?? [];
    }),
  );
  const touched = background.touched();
  const isTouched = (element: Element) => lineOf(element).some((outer) => touched.has(outer));
  /** Moved by something else that changes by itself. */
  const isPushed = (element: Element) =>
    background.stirred().size + olderMoves.size > 0 && !isTouched(element);
  const sent = textToSend(between);
  const isRestless = ({ element, kind, isRedrawn, words }: VisibleChange): boolean => {
    // The act has sent this text: it did not come by itself.
    if (kind === 'new' && sent !== '' && tidy(words).includes(sent)) return false;
    if (kind === 'new' || kind === 'gone' || isRedrawn === true)
      return lineIn((kind === 'gone' ? before : after).appearance, element).some(
        (outer) => background.isRestless(outer, (each) => !each.startsWith('@')) && background.varies(outer),
      );
    if (kind === 'text') return background.isRestless(element, (each) => !each.startsWith('@'));
    return (
      (kind === 'place' && isPushed(element)) ||
      isInBackground(background, element, (each) => each.startsWith('@')) ||
      lineOf(element).some((outer) => olderMoves.has(outer)) ||
      element.closest('svg')?.querySelector('animate, animateTransform, animateMotion, set') != null
    );
  };
  const looks = visibleChanges(before.appearance, after.appearance, clean, isOutOfView);
  const changes: Sight[] = [
    ...looks.changes,
    ...drawingChanges(between.drawings, clean),
    ...outOfView(between),
    ...pageChanges(before, after, clean),
  ];
  const sort = (change: Sight) => {
    const isStyle = change.kind === 'style' || change.kind === 'place';
    if (change.isRestless ?? isRestless(change)) alone.push(change);
    else if (
      isStyle &&
      isPointed(change.element) &&
      change.isRedrawn !== true &&
      change.isReclassed !== true &&
      !wasTouched(change.element, background)
    )
      focus.push(change);
    else real.push(change);
  };
  const secret = writtenSecret(between);
  for (const change of changes) if (secret === undefined || change.element !== secret.element) sort(change);
  if (secret !== undefined) real.push(secret);
  // A style or a clock that changed moves other things too: then only what the act touched counts.
  const explained = looks.changes.length > 0;
  const stirs = background.stirred();
  const isOwnMove = ({ element }: VisibleChange) =>
    isTouched(element) && !lineOf(element).some((outer) => stirs.has(outer));
  if (real.length === 0 || !explained)
    for (const move of looks.moves()) if (!explained || isOwnMove(move)) sort(move);
  const isKnown = real.length + focus.length + alone.length > 0;
  // A clock may be covered, or tick back.
  const stirred = isKnown ? [] : [...background.stirred()];
  return {
    real,
    focus,
    background: [
      ...alone,
      ...stirred.map((element) => ({ element, kind: 'text' as const, words: labelOf(element, clean) })),
    ],
  };
}

/** The start of a text that stood in a field, and was sent. */
function textToSend({ before, after }: Between): string {
  for (const [field, { held, isSecret }] of before.appearance) {
    const text = isField(field) && !isSecret && after.appearance.get(field)?.held !== held ? tidy(held) : '';
    if (text.length >= FEWEST_SENT) return cutText(text, MOST_SENT);
  }
  return '';
}

const MOST_SENT = 40;
const FEWEST_SENT = 2;

/** Without it, "no change" would tell that a written guess was the field's value. */
function writtenSecret({ acted, after, written, clean }: Between): VisibleChange | undefined {
  const element = acted ?? after.focus;
  if (written === undefined || element === undefined || !isSecretField(element)) return undefined;
  return { element, kind: 'value', words: `${kindAndName(element, clean)}: ${written}` };
}

type Sight = VisibleChange & { readonly isRestless?: boolean };

function drawingChanges({ before, again, after }: Drawings, clean: Clean): Sight[] {
  return [...after].flatMap(([element, now]) => {
    const was = before.get(element);
    if (was === undefined || was === now) return [];
    const words = `drawing ${labelOf(element, clean)} changed`;
    return { element, kind: 'value' as const, words, isRestless: (again.get(element) ?? was) !== was };
  });
}

function hasUnreadDrawing({ acted, drawings: { before, after } }: Between): boolean {
  return (
    acted !== undefined &&
    [...after].some(([canvas, now]) => typeof now !== 'number' && now === before.get(canvas))
  );
}

/** Text that changed outside the view, which a look leaves out. */
function outOfView({ before, after, background, clean }: Between): Sight[] {
  return [...background.touched()].flatMap(([element, { kinds, text }]) => {
    if (before.appearance.has(element) || after.appearance.has(element)) return [];
    const now = (element.textContent ?? '').replace(/\s+/g, ' ').trim();
    const was = (text ?? '').replace(/\s+/g, ' ').trim();
    if (!kinds.has('text') || was === now || element.childElementCount > 0 || !isLegible(element)) return [];
    return { element, kind: 'text' as const, words: `${textWords(was, now, clean)} (out of view)` };
  });
}

function pageChanges(before: PageState, after: PageState, clean: Clean): Sight[] {
  const element = document.documentElement;
  const all: Sight[] = [];
  if (before.title !== after.title)
    all.push({ element, kind: 'value', words: `title: ${before.title} → ${after.title}`, isRestless: false });
  if (before.selection !== after.selection && after.selection.trim() !== '')
    all.push({
      element,
      kind: 'value',
      words: `selected: ${isPartOfSecret(after) ? MASK : cutText(clean(after.selection), 80)}`,
      isRestless: false,
    });
  return all;
}

/** Part of a secret is not recognized as one, so the text around the selection counts. */
function isPartOfSecret({ focus }: PageState): boolean {
  if (focus !== undefined && isSecretField(focus)) return true;
  return repeatsSecret(`${(focus && rawValueOf(focus)) ?? ''} ${selectedAround()}`);
}
