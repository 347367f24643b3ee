import type { Attachment } from '@drawbridge/protocol/manifest';
import { holdsAt } from '../state/sighting.ts';
import type { AttachmentChange, AttachmentEffect, AttachmentEvent } from './attachment-effect.ts';
import { type Lifecycle, readLifecycle } from './lifecycle-policy.ts';

/** The state of one attachment on one page. Plain data: the host stores it and passes it back. */
export interface AttachmentState {
  /** By anchor. An instance that is being removed counts until the host reports it removed. */
  readonly instances: ReadonlyMap<string, 'installing' | 'installed' | 'removing'>;
  /** Anchors that matched at the last observation. */
  readonly anchors: readonly string[];
  /** An instance was on the page before, so the next one is a reattachment. */
  readonly lost: boolean;
  /** The target was found in this context before, so a missing target is drift. */
  readonly found: boolean;
  readonly drifted: boolean;
}

export type AttachmentStates = ReadonlyMap<string, AttachmentState>;

export interface AttachmentAnswer {
  readonly states: AttachmentStates;
  readonly effects: readonly AttachmentEffect[];
}

const WAITING: AttachmentState = {
  instances: new Map(),
  anchors: [],
  lost: false,
  found: false,
  drifted: false,
};

const DEFAULT_MAX_INSTANCES = 1;
const DEFAULT_PLACEMENT = 'afterend';

/** An attachment with an unknown policy gives a warning and is never installed. */
export function startAttachments(attachments: readonly Attachment[]): AttachmentAnswer {
  const effects: AttachmentEffect[] = [];
  const states = new Map<string, AttachmentState>();
  for (const attachment of attachments) {
    const reading = readLifecycle(attachment);
    if (reading.ok) states.set(attachment.id, WAITING);
    else
      for (const message of reading.warnings) effects.push({ type: 'warning', id: attachment.id, message });
  }
  return { states, effects };
}

export function stepAttachment(
  attachments: readonly Attachment[],
  states: AttachmentStates,
  event: AttachmentEvent,
): AttachmentAnswer {
  const attachment = attachments.find(({ id }) => id === event.id);
  const state = states.get(event.id);
  const reading = attachment === undefined ? undefined : readLifecycle(attachment);
  if (attachment === undefined || state === undefined || !reading?.ok) return { states, effects: [] };
  const step = take({ attachment, lifecycle: reading.lifecycle, state }, event);
  return { states: new Map([...states, [event.id, step.state]]), effects: step.effects };
}

interface One {
  readonly attachment: Attachment;
  readonly lifecycle: Lifecycle;
  readonly state: AttachmentState;
}

interface Step {
  readonly state: AttachmentState;
  readonly effects: readonly AttachmentEffect[];
}

function take(one: One, event: AttachmentEvent): Step {
  switch (event.type) {
    case 'observed':
      return observed(one, event);
    case 'installed':
      return installed(one, event.anchor);
    case 'install_failed':
      return failed(one, event.anchor);
    case 'removed':
      return gone(one, event.anchor, 'removed');
    case 'detached':
      return gone(one, event.anchor, 'detached');
    case 'activated':
      return activated(one, event);
  }
}

function observed(one: One, event: Extract<AttachmentEvent, { type: 'observed' }>): Step {
  const inContext = holdsAt(one.attachment.target, event);
  const anchors = inContext ? [...new Set(event.anchors)] : [];
  const drifting = inContext && anchors.length === 0 && one.state.found && !one.state.drifted;
  const state: AttachmentState = {
    ...one.state,
    anchors,
    found: inContext && (one.state.found || anchors.length > 0),
    drifted: inContext && anchors.length === 0 && (one.state.drifted || drifting),
  };
  const steps = [(now: One) => removeStray(now, inContext), fill];
  const moved = inSequence({ ...one, state }, steps);
  return drifting ? { ...moved, effects: [...moved.effects, ...driftEffects(one)] } : moved;
}

/** Removes instances whose anchor no longer matches, as far as the policies allow. */
function removeStray(one: One, inContext: boolean): Step {
  const { remove, drift } = one.lifecycle;
  const targetLost = inContext && one.state.anchors.length === 0;
  const stays = remove === 'never' ? !(targetLost && drift === 'remove') : targetLost && drift === 'keep';
  if (stays) return { state: one.state, effects: [] };
  const stray = [...one.state.instances].filter(
    ([anchor, phase]) => phase !== 'removing' && !one.state.anchors.includes(anchor),
  );
  const removing = stray.map(([anchor]) => [anchor, 'removing'] as const);
  return {
    state: { ...one.state, instances: new Map([...one.state.instances, ...removing]) },
    effects: stray.map(([anchor]) => ({ type: 'remove', id: one.attachment.id, anchor })),
  };
}

/** Installs an instance at each free anchor, up to `max_instances`. */
function fill({ attachment, lifecycle, state }: One): Step {
  const { id, kind, affordance = {} } = attachment;
  const room = (affordance.max_instances ?? DEFAULT_MAX_INSTANCES) - state.instances.size;
  if (room <= 0 || (state.lost && lifecycle.reattach === 'never')) return { state, effects: [] };
  const free = state.anchors.filter((anchor) => !state.instances.has(anchor)).slice(0, room);
  const label = affordance.label ?? id;
  const placement = affordance.placement ?? DEFAULT_PLACEMENT;
  const installing = free.map((anchor) => [anchor, 'installing'] as const);
  return {
    state: { ...state, instances: new Map([...state.instances, ...installing]) },
    effects: free.map((anchor) => ({ type: 'install', id, anchor, kind, label, placement })),
  };
}

function installed(one: One, anchor: string): Step {
  if (one.state.instances.get(anchor) !== 'installing') return { state: one.state, effects: [] };
  const instances = new Map([...one.state.instances, [anchor, 'installed'] as const]);
  return {
    state: { ...one.state, instances },
    effects: announce(one.attachment, one.state.lost ? 'reattached' : 'installed'),
  };
}

/** Frees the slot of an install that failed; the next observation tries again. */
function failed({ state }: One, anchor: string): Step {
  const onPage = state.instances.get(anchor) === 'installed';
  return { state: onPage ? state : without(state, anchor), effects: [] };
}

/**
 * After our own removal, a free slot is filled at once; after the page's change, at the next observation. The
 * anchor must be in the matching phase, so that a late answer cannot free another request's slot.
 */
function gone(one: One, anchor: string, change: 'removed' | 'detached'): Step {
  const phase = change === 'removed' ? 'removing' : 'installed';
  if (one.state.instances.get(anchor) !== phase) return { state: one.state, effects: [] };
  const state = { ...without(one.state, anchor), lost: true };
  const effects = announce(one.attachment, change);
  if (change === 'detached') return { state, effects };
  const filled = fill({ ...one, state });
  return { state: filled.state, effects: [...effects, ...filled.effects] };
}

function activated(one: One, event: Extract<AttachmentEvent, { type: 'activated' }>): Step {
  const { attachment, state } = one;
  const { id, affordance } = attachment;
  if (state.instances.get(event.anchor) !== 'installed') return { state, effects: [] };
  if (!event.trusted) {
    const message = `A script activated ${id}, not a person: nothing was run.`;
    return { state, effects: [{ type: 'warning', id, message }] };
  }
  const effects = [...announce(attachment, 'activated')];
  const opens = affordance?.opens;
  if (opens !== undefined) {
    effects.push({
      type: 'run_tool',
      id,
      tool: opens.tool,
      arguments: opens.arguments ?? {},
      actor: 'person',
    });
  }
  return { state, effects };
}

function driftEffects({ attachment, lifecycle }: One): AttachmentEffect[] {
  if (lifecycle.drift === undefined) return [];
  const { id } = attachment;
  const message = `The target of ${id} can no longer be found.`;
  const asks: AttachmentEffect[] =
    lifecycle.drift === 'handoff_to_user' ? [{ type: 'prompt_person', id, message }] : [];
  return [{ type: 'drift', id, message }, ...asks, ...announce(attachment, 'drifted')];
}

/** Words of the contract for a change, beside our own. */
const CHANGE_NAMES: Readonly<Record<AttachmentChange, readonly string[]>> = {
  installed: ['installed', 'attached'],
  reattached: ['reattached'],
  removed: ['removed', 'unattached', 'wrong_context'],
  detached: ['detached', 'stale'],
  drifted: ['drifted'],
  activated: ['activated'],
};

/** Sends every signal of a list, or those that an object names for this change; the payload contains the change. */
function announce({ id, kind, signals = [] }: Attachment, change: AttachmentChange): AttachmentEffect[] {
  const names = Array.isArray(signals)
    ? signals
    : CHANGE_NAMES[change].flatMap((word) => (Object.hasOwn(signals, word) ? (signals[word] ?? []) : []));
  const payload = { attachment_id: id, change, ...(kind === 'overlay_launcher' ? { launcher_id: id } : {}) };
  return names.map((name) => ({ type: 'signal', name, payload }));
}

function without(state: AttachmentState, anchor: string): AttachmentState {
  const instances = new Map(state.instances);
  instances.delete(anchor);
  return { ...state, instances };
}

function inSequence(one: One, steps: readonly ((one: One) => Step)[]): Step {
  let state = one.state;
  const effects: AttachmentEffect[] = [];
  for (const step of steps) {
    const done = step({ ...one, state });
    state = done.state;
    effects.push(...done.effects);
  }
  return { state, effects };
}
