import { BROWSER_ACTIONS, type BrowserAction } from './browser.ts';
import type { Side } from './line.ts';
import { PROXY_ACTIONS, type ProxyAction } from './proxy.ts';
import { CALM_DISK } from './relay-process.ts';
import type { Simulation } from './simulation.ts';

const FAULTS = [
  'drop',
  'half_open',
  'stall',
  'partition',
  'relay_crash',
  'relay_stop',
  'proxy_crash',
  'browser_leave',
  'disk_full',
  'disk_io',
  'disk_slow',
  'wall_jump',
  'slow_reader',
  'revoke',
  'stranger',
] as const;
type Fault = (typeof FAULTS)[number];

/** Weights by how common each action is. */
const BROWSER_WEIGHTS: Partial<Record<BrowserAction, number>> = {
  send: 12,
  answer: 5,
  repeat: 2,
  close: 0.4,
};
const PROXY_WEIGHTS: Partial<Record<ProxyAction, number>> = {
  speak: 3,
  prompt: 4,
  withdraw: 0.6,
  vanish: 0.4,
  close: 0.3,
};

/** The next step of a world: an action of a peer, or a fault. */
export function takeStep(simulation: Simulation): () => void {
  const { random } = simulation.context;
  // A few faults per world: all of them at once would hide the effect of one.
  const faults = FAULTS.filter(() => random.chance(0.4));
  const rate = faults.length === 0 ? 0 : random.pick([0.03, 0.1, 0.25]);
  const browserActions = weighted(BROWSER_ACTIONS, BROWSER_WEIGHTS);
  const proxyActions = weighted(PROXY_ACTIONS, PROXY_WEIGHTS);
  return () => {
    if (random.chance(rate)) goWrong(simulation, random.pick(faults));
    else if (simulation.browsers.length > 0 && random.chance(0.65)) {
      random.pick(simulation.browsers).act(random.pick(browserActions));
    } else random.pick(simulation.proxies).act(random.pick(proxyActions));
  };
}

function weighted<Action extends string>(
  actions: readonly Action[],
  weights: Partial<Record<Action, number>>,
): readonly Action[] {
  return actions.flatMap((action) =>
    Array.from({ length: Math.round((weights[action] ?? 1) * 5) }, () => action),
  );
}

function goWrong(simulation: Simulation, fault: Fault): void {
  const { context, relay, mood, browsers, proxies, unauthenticated, revoked, boot } = simulation;
  const { random } = context;
  context.trace('trouble:', fault);
  const hears = (...sides: Side[]): readonly Side[] => sides.filter(() => random.chance(0.5));
  const peers = [...browsers, ...proxies].map(({ peer }) => peer);
  const hold = (sides: readonly Side[], of: typeof peers): void => {
    const held = of.map((peer) => peer.line()).filter((line) => line !== undefined);
    for (const line of held) for (const side of sides) line.hold(side, true);
    context.after(random.int(100, 30_000), () => {
      for (const line of held) for (const side of sides) line.hold(side, false);
    });
  };
  const moody = (change: Partial<typeof mood>, ms: number): void => {
    Object.assign(mood, change);
    context.after(random.int(10, ms), () => Object.assign(mood, CALM_DISK));
  };
  switch (fault) {
    case 'drop':
      random.pick(peers).line()?.cut(['client', 'relay']);
      return;
    case 'half_open':
      random.pick(peers).line()?.cut(hears('client', 'relay'));
      return;
    case 'stall':
      hold([random.pick<Side>(['client', 'relay'])], [random.pick(peers)]);
      return;
    case 'partition':
      hold(
        ['client', 'relay'],
        peers.filter(() => random.chance(0.5)),
      );
      return;
    case 'slow_reader':
      hold(['client'], browsers.length === 0 ? [] : [random.pick(browsers).peer]);
      return;
    case 'relay_crash':
      relay.crash(random.chance(0.8) ? ['client'] : hears('client'));
      context.after(random.int(1, 3_000), boot);
      return;
    case 'relay_stop':
      if (relay.isUp()) relay.stop(() => context.after(random.int(1, 1_000), boot));
      return;
    case 'proxy_crash': {
      const proxy = random.pick(proxies);
      proxy.die(hears('relay'));
      context.after(random.int(10, random.chance(0.2) ? 120_000 : 4_000), proxy.start);
      return;
    }
    case 'browser_leave': {
      if (browsers.length === 0) return;
      const browser = random.pick(browsers);
      browser.leave(hears('relay'), random.chance(0.7));
      context.after(random.int(10, 20_000), browser.start);
      return;
    }
    case 'disk_full':
    case 'disk_io':
      moody(
        { fault: fault === 'disk_io' ? 'ledger_io' : 'ledger_full', faulty: random.pick([0.3, 1]) },
        8_000,
      );
      return;
    case 'disk_slow':
      moody({ delay_ms: 300 }, 5_000);
      return;
    case 'wall_jump':
      context.jumpWall(random.pick([-86_400_000, -3_600_000, -1_000, 1_000, 3_600_000, 86_400_000]));
      return;
    case 'revoke':
      if (browsers.every(({ traits }) => traits.device_id !== 'laptop') || !random.chance(0.3)) return;
      revoked.add('laptop');
      relay.dismiss('laptop');
      return;
    case 'stranger':
      unauthenticated.come();
      for (const { agents } of proxies)
        for (const session_id of agents.keys()) unauthenticated.tryOut(session_id);
      return;
  }
}
