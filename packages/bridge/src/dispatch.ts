import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import type { Core } from './core.ts';
import { asBridgeError, errorItem } from './error-item.ts';
import { type Call, type Caller, callTimedOut } from './pending-calls.ts';
import type { Liveness } from './probes.ts';
import {
  type Departed,
  type Described,
  latestUrl,
  quietMs,
  type RuntimeEntry,
  understands,
} from './registry.ts';
import { checkCapabilities, checkTool } from './site-map.ts';

/** Sends a call to exactly one runtime, or answers with the reason. */
export function routeCall(core: Core, item: ActionCall, caller: Caller): void {
  const { pending, probes, turns } = core;
  let opened: Call | undefined;
  try {
    if (core.closed) throw new BridgeError('transport_failed', 'The bridge is closed. Connect again.');
    if (pending.get(item.call_id) !== undefined) throw alreadyPending(item);
    const entry = chooseRuntime(core, item, caller);
    checkTool(core.allowTool, item.name, entry);
    checkCapabilities(item.name, entry);
    checkRoom(core, entry, caller);
    const call = pending.open(item, caller, entry);
    opened = call;
    probes.ask(entry, (state) => {
      if (call.state.kind !== 'waiting') return;
      if (state === 'awake') send(core, call);
      else pending.fail(call, notAwake(core, entry, state));
    });
    // Set after sending, as setting a timer takes as long as the way there.
    pending.watch(call, (late) => timeOut(core, late));
  } catch (thrown) {
    if (!(thrown instanceof BridgeError)) turns.onError(thrown);
    const error = asBridgeError(thrown);
    if (opened === undefined) caller.answer(errorItem(error, { call_id: item.call_id }));
    else pending.fail(opened, error);
  }
}

/** Ends a call for its caller, or for another authorized party. */
export function cancelCall(core: Core, call: Call, reason?: string, by?: string): void {
  stopAtRuntime(core, call, reason);
  core.pending.fail(
    call,
    new BridgeError(
      'handler_failed',
      by === undefined
        ? `${call.item.name} was cancelled by its caller. Call it again to run it.`
        : `${call.item.name} was cancelled by ${by}. Do not call it again unless they ask for it.`,
      {
        evidence: {
          name: call.item.name,
          cancelled: true,
          sent: call.state.kind !== 'waiting',
          ...(reason === undefined ? {} : { reason }),
        },
      },
    ),
  );
}

function send(core: Core, call: Call): void {
  const { entry, timeoutMs } = call;
  const { client: _, origins: __, ...item } = call.item;
  const origins = core.originsOf(call.caller.owner);
  const left = timeoutMs - core.pending.elapsed(call);
  const { runtime_id } = entry;
  if (left <= 0) {
    timeOut(core, call);
    return;
  }
  call.state = { kind: 'sent' };
  if (
    core.sendTo(entry.link, {
      ...item,
      runtime_id,
      timeout_ms: left,
      ...(origins && { origins: [...origins] }),
    })
  )
    return;
  core.pending.fail(
    call,
    new BridgeError(
      'transport_failed',
      `${item.name} could not be sent to runtime ${runtime_id}. Try again.`,
      {
        evidence: { name: item.name, sent: false },
      },
    ),
  );
}

function timeOut(core: Core, call: Call): void {
  stopAtRuntime(core, call, 'timeout');
  core.pending.fail(call, callTimedOut(call, core.pending.elapsed(call)));
}

function stopAtRuntime(core: Core, { state, entry, item }: Call, reason?: string): void {
  if (state.kind !== 'sent' || !understands(entry, 'action_cancel')) return;
  const why = reason === undefined ? {} : { reason };
  core.sendTo(entry.link, { type: 'action_cancel', call_id: item.call_id, ...why });
}

function chooseRuntime(core: Core, item: ActionCall, { owner }: Caller): RuntimeEntry {
  const { registry, runtimeLinks, clock, sees } = core;
  const entries = registry.entries().filter((entry) => sees(owner, entry));
  const fitting = matching(item, entries);
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  if (first === undefined) {
    const left = namesARuntime(item)
      ? matching(item, registry.departed()).findLast((each) => sees(owner, each))
      : undefined;
    if (left !== undefined) throw hasLeft(left, clock.now());
    if (registry.entries().length === 0 && !namesARuntime(item) && runtimeLinks.size > 0)
      throw stillLoading();
  }
  return route(item, entries);
}

function checkRoom({ pending, limits }: Core, entry: RuntimeEntry, { owner }: Caller): void {
  const there = pending.at(entry);
  if (there.length >= limits.maxPendingPerRuntime) throw tooBusy(entry, limits.maxPendingPerRuntime);
  const own = owner === undefined ? 0 : there.filter(({ caller }) => caller.owner === owner).length;
  if (own >= limits.maxPendingPerOwner) throw tooBusy(entry, limits.maxPendingPerOwner, ' of this device');
}

function alreadyPending({ call_id, name }: ActionCall): BridgeError {
  return new BridgeError(
    'invalid_input',
    `A call with the call_id ${call_id} is still pending and goes on. Give ${name} a call_id of its own.`,
    { evidence: { path: 'call_id', duplicate: true } },
  );
}

function tooBusy({ runtime_id }: RuntimeEntry, most: number, whose = ''): BridgeError {
  return new BridgeError(
    'runtime_not_ready',
    `Runtime ${runtime_id} has ${most} calls${whose} pending, which is the limit. Call again when one has ended.`,
    { evidence: { state: 'busy', runtime_id, pending: most } },
  );
}

function notAwake({ clock }: Core, entry: RuntimeEntry, state: Exclude<Liveness, 'awake'>): BridgeError {
  const { runtime_id } = entry;
  const quiet = quietMs(entry, clock.now());
  const message =
    state === 'asleep'
      ? `The page of runtime ${runtime_id} is asleep and does not run. Bring its tab to the front and call again.`
      : `Runtime ${runtime_id} has said nothing for ${quiet} ms and does not answer. Choose another, or reload its tab.`;
  return new BridgeError('runtime_not_ready', message, {
    evidence: { state, runtime_id, quiet_ms: quiet, url: latestUrl(entry), sent: false },
  });
}

function hasLeft(left: Departed, now: number): BridgeError {
  const { ready, leftAt, reason, replacedBy } = left;
  const { runtime_id, title = null } = ready;
  const next =
    replacedBy === undefined
      ? 'Wait until it is back, or choose another.'
      : `Use runtime ${replacedBy} instead.`;
  return new BridgeError('runtime_not_ready', `Runtime ${runtime_id} is not connected any more. ${next}`, {
    evidence: {
      state: 'gone',
      runtime_id,
      url: latestUrl(left),
      title,
      gone_ms: Math.max(0, now - leftAt),
      reason,
      ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
    },
  });
}

function stillLoading(): BridgeError {
  return new BridgeError(
    'runtime_not_ready',
    'A runtime is connected but has not loaded its map yet. Call again in a moment.',
    { evidence: { state: 'loading' } },
  );
}

const MAX_LISTED = 20;

/** The only runtime that matches every selector of the call (BRG-51 to BRG-64). */
export function route<Runtime extends Described>(call: ActionCall, runtimes: readonly Runtime[]): Runtime {
  const [first, ...others] = matching(call, runtimes);
  if (first === undefined) throw notFound(call, runtimes);
  if (others.length > 0) throw ambiguous([first, ...others]);
  return first;
}

/** All matches; all runtimes without a selector. */
function matching<Runtime extends Described>(
  { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains }: ActionCall,
  runtimes: readonly Runtime[],
): readonly Runtime[] {
  return runtimes.filter(({ ready, status }) => {
    const { runtime_id: id, runtime_key: key, title, url } = ready;
    return (
      (runtime_id ?? id) === id &&
      (target_runtime_id ?? id) === id &&
      (target?.runtime_id ?? id) === id &&
      (target?.runtime_key ?? key) === key &&
      (status?.url ?? url).includes(target_url_contains ?? '') &&
      (target_title_contains === undefined || title?.includes(target_title_contains) === true)
    );
  });
}

function namesARuntime({ target, ...call }: ActionCall): boolean {
  const { target_runtime_id, target_url_contains, target_title_contains } = call;
  const own = [call.runtime_id, target_runtime_id, target_url_contains, target_title_contains];
  return [...own, target?.runtime_id, target?.runtime_key].some((selector) => selector !== undefined);
}

function selectorsOf(call: ActionCall): Readonly<Record<string, unknown>> {
  const { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains } = call;
  const selectors = { runtime_id, target_runtime_id, target, target_url_contains, target_title_contains };
  return Object.fromEntries(Object.entries(selectors).filter(([, value]) => value !== undefined));
}

function ambiguous(candidates: readonly Described[]): BridgeError {
  return new BridgeError(
    'ambiguous_runtime',
    `${candidates.length} lent tabs fit this call, and none was named. Name one by its runtime_id.`,
    { evidence: { candidates: listed(candidates), count: candidates.length } },
  );
}

function notFound(call: ActionCall, connected: readonly Described[]): BridgeError {
  const message =
    connected.length === 0
      ? 'No runtime is connected. Lend a tab, or start a browser, and call again.'
      : `None of the ${connected.length} connected runtimes fits every selector of this call. Choose one of those listed, or leave selectors out.`;
  return new BridgeError('runtime_not_found', message, {
    evidence: { selectors: selectorsOf(call), candidates: listed(connected), count: connected.length },
  });
}

function listed(runtimes: readonly Described[]) {
  return runtimes.slice(0, MAX_LISTED).map((runtime) => {
    const { runtime_id, runtime_key, title = null } = runtime.ready;
    const key = runtime_key === undefined ? {} : { runtime_key };
    return { runtime_id, ...key, url: latestUrl(runtime), title };
  });
}
