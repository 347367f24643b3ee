import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp.ts';
import { VIEWPORT } from './chromium.ts';
import { type DomPicture, pictureOf } from './dom-picture.ts';

/* Pressable elements in the viewport, by the browser's word alone (DevTools protocol, main document):
   1. Candidates are native controls, elements with a pressable role in the accessibility tree, and elements
      with a click, mouse, pointer or touch listener; never html, body, disabled, transparent or huge ones.
   2. A candidate counts if the node at the centre of a visible part is itself or inside it; a field
      that is not hit counts if one of its labels is.
   3. Among nested candidates that the same press reaches, the outermost counts, and listeners inside a
      control are part of it; a wrapper that only listens does not count beside the controls it wraps. */

export interface Pressable {
  readonly backendNodeId: number;
  /** The tag as written, to show what was missed. */
  readonly tag: string;
  readonly x: number;
  readonly y: number;
  readonly kind: Kind;
}

type Kind = 'native' | 'role' | 'listens';

interface Candidate {
  readonly node: number;
  readonly kind: Kind;
}

interface Hit extends Candidate {
  readonly x: number;
  readonly y: number;
  /** The node that receives a press there. */
  readonly lands: number;
  readonly area: number;
}

const PRESSES = /^(?:click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/;
const ROLES = new Set(
  'button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab option combobox textbox searchbox slider spinbutton treeitem'.split(
    ' ',
  ),
);
const NATIVE = new Set(['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'SUMMARY']);
/** Narrower boxes are for screen readers only. */
const SMALLEST_PX = 3;
const HUGE = (VIEWPORT.width * VIEWPORT.height) / 2;
const MOST_INSIDE = 5;

export async function pressables(session: CdpSession): Promise<Pressable[]> {
  const dom = await pictureOf(session);
  const candidates = await candidatesIn(session, dom);
  const inView = candidates.filter(({ node }) => !isExcluded(dom, node));
  const hits = (await Promise.all(inView.map((candidate) => hitOf(session, dom, candidate)))).flatMap(
    (hit) => hit ?? [],
  );
  const labelled = await hitsByLabel(session, dom, inView, hits);
  return outermost(dom, [...hits, ...labelled]).map(({ node, x, y, kind }) => ({
    backendNodeId: dom.backendNodeId(node),
    tag: dom.openingTag(node),
    x,
    y,
    kind,
  }));
}

async function candidatesIn(session: CdpSession, dom: DomPicture): Promise<Candidate[]> {
  const listeners = await listening(session);
  const withRole = await pressableByRole(session);
  return dom.elements().flatMap((node): Candidate[] => {
    if (!dom.touchesView(node, VIEWPORT)) return [];
    if (isNative(dom, node)) return [{ node, kind: 'native' }];
    if (withRole.has(dom.backendNodeId(node))) return [{ node, kind: 'role' }];
    return listeners.has(dom.backendNodeId(node)) ? [{ node, kind: 'listens' }] : [];
  });
}

async function pressableByRole(session: CdpSession): Promise<Set<number>> {
  const { nodes } = await session.send('Accessibility.getFullAXTree', {});
  const offered = nodes.filter(({ ignored, role }) => !ignored && ROLES.has(String(role?.value)));
  return new Set(offered.flatMap(({ backendDOMNodeId }) => backendDOMNodeId ?? []));
}

async function listening(session: CdpSession): Promise<Set<number>> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document' });
  if (result.objectId === undefined) return new Set();
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId,
    depth: -1,
    pierce: true,
  });
  const presses = listeners.filter(({ type }) => PRESSES.test(type));
  return new Set(presses.flatMap(({ backendNodeId }) => backendNodeId ?? []));
}

function isNative(dom: DomPicture, node: number): boolean {
  const name = dom.nodeName(node);
  if (name === 'A' || name === 'AREA') return dom.attribute(node, 'href') !== undefined;
  if (name === 'INPUT') return dom.attribute(node, 'type')?.toLowerCase() !== 'hidden';
  const editable = dom.attribute(node, 'contenteditable');
  return NATIVE.has(name) || (editable !== undefined && editable !== 'false');
}

function isExcluded(dom: DomPicture, node: number): boolean {
  const name = dom.nodeName(node);
  if (name === 'HTML' || name === 'BODY') return true;
  if (dom.attribute(node, 'disabled') !== undefined || dom.attribute(node, 'aria-disabled') === 'true')
    return true;
  return dom.isTransparent(node) && !NATIVE.has(name);
}

/** Point where a press hits the node: the centre of its first visible part, then of the others. */
async function hitOf(session: CdpSession, dom: DomPicture, candidate: Candidate): Promise<Hit | undefined> {
  const backendNodeId = dom.backendNodeId(candidate.node);
  const { quads } = await session
    .send('DOM.getContentQuads', { backendNodeId })
    .catch((): Protocol.DOM.GetContentQuadsResponse => ({ quads: [] }));
  for (const quad of quads) {
    const box = boxInView(quad);
    if (box.width < SMALLEST_PX || box.height < SMALLEST_PX) continue;
    const x = Math.round(box.left + box.width / 2);
    const y = Math.round(box.top + box.height / 2);
    const at = await session.send('DOM.getNodeForLocation', { x, y }).catch(() => undefined);
    const lands = at === undefined ? undefined : dom.nodeOf(at.backendNodeId);
    if (lands !== undefined && dom.isInside(lands, candidate.node))
      return { ...candidate, x, y, lands, area: box.width * box.height };
  }
  return undefined;
}

function boxInView(quad: readonly number[]) {
  const across = quad.filter((_, index) => index % 2 === 0);
  const down = quad.filter((_, index) => index % 2 === 1);
  const left = Math.max(0, Math.min(...across));
  const top = Math.max(0, Math.min(...down));
  return {
    left,
    top,
    width: Math.min(VIEWPORT.width, Math.max(...across)) - left,
    height: Math.min(VIEWPORT.height, Math.max(...down)) - top,
  };
}

async function hitsByLabel(
  session: CdpSession,
  dom: DomPicture,
  candidates: readonly Candidate[],
  hits: readonly Hit[],
): Promise<Hit[]> {
  const hit = new Set(hits.map(({ node }) => node));
  const missed = candidates.filter(({ node }) => dom.nodeName(node) === 'INPUT' && !hit.has(node));
  const found = await Promise.all(
    missed.map(async (candidate) => {
      const label = dom.labelOf(candidate.node);
      if (label === undefined) return undefined;
      const labelHit = await hitOf(session, dom, { ...candidate, node: label });
      return labelHit && { ...labelHit, ...candidate };
    }),
  );
  return found.flatMap((labelHit) => labelHit ?? []);
}

function outermost(dom: DomPicture, hits: readonly Hit[]): Hit[] {
  const byNode = new Map(hits.map((hit) => [hit.node, hit]));
  const dropped = new Set<Hit>();
  // From the outside in: the snapshot lists a node before its descendants.
  for (const hit of hits.toSorted((a, b) => a.node - b.node)) {
    const around = dom.ancestors(hit.node).flatMap((node) => byNode.get(node) ?? []);
    const outer = around.filter((other) => !dropped.has(other));
    const inside = hits.filter((other) => other !== hit && dom.isInside(other.node, hit.node));
    const controlsInside = inside.filter(({ kind }) => kind !== 'listens');
    if (hit.kind !== 'native') {
      const isDelegate = hit.area > HUGE || inside.length > MOST_INSIDE;
      const isWrapper = hit.kind === 'listens' ? controlsInside.length > 0 : controlsInside.length > 1;
      if (isDelegate || isWrapper) dropped.add(hit);
    }
    if (hit.kind === 'listens' && outer.length > 0) dropped.add(hit);
    if (outer.some((other) => dom.isInside(other.lands, hit.node))) dropped.add(hit);
  }
  return hits.filter((hit) => !dropped.has(hit));
}
