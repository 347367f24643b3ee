import type { SimulationContext } from './simulation-context.ts';

/** Network quality of a world. */
export interface Weather {
  readonly latency_ms: number;
  /** Probability of a delay a hundred times as long. */
  readonly spikes: number;
}

interface Item {
  readonly text?: string;
  readonly counts: boolean;
}

export interface LineEnd {
  /** `counts`: towards the unread limit of the other end. */
  readonly send: (text: string, counts?: boolean) => void;
  readonly close: (code: number) => void;
  readonly onText: (listener: (text: string) => void) => void;
  readonly onClose: (listener: (code: number) => void) => void;
  readonly isOpen: () => boolean;
  readonly unread: () => number;
  /** Resolves when the other end has read all, or the connection is gone. */
  readonly drained: () => Promise<void>;
}

export type Side = 'client' | 'relay';

/**
 * A connection: each direction keeps its order and may stall, and an end may not learn that the other is
 * gone.
 */
export interface Line {
  readonly client: LineEnd;
  readonly relay: LineEnd;
  /** Loses everything in flight; `hears` are the ends that learn of it. */
  readonly cut: (hears: readonly Side[]) => void;
  /** Stalls the direction to that side. */
  readonly hold: (to: Side, held: boolean) => void;
}

interface Pipe {
  readonly push: (item: Item) => void;
  readonly hold: (held: boolean) => void;
  readonly drop: () => void;
  readonly unread: () => number;
  readonly drained: () => Promise<void>;
}

function createPipe(context: SimulationContext, weather: Weather, deliver: (item: Item) => void): Pipe {
  let queue: Item[] = [];
  const waiting: (() => void)[] = [];
  let armed = false;
  let held = false;

  const settle = (): void => {
    if (queue.length > 0) return;
    for (const emit of waiting.splice(0)) {
      context.stir();
      emit();
    }
  };

  const arm = (): void => {
    if (armed || held || queue.length === 0) return;
    armed = true;
    const { random } = context;
    const spike = random.chance(weather.spikes) ? 100 : 1;
    context.after(random.int(1, weather.latency_ms) * spike, () => {
      armed = false;
      if (held) return;
      // A stream: several frames may arrive at once.
      for (let count = queue.length === 0 ? 0 : random.int(1, queue.length); count > 0; count -= 1) {
        const item = queue.shift();
        if (item !== undefined) deliver(item);
      }
      settle();
      arm();
    });
  };

  return {
    push: (item) => {
      queue.push(item);
      arm();
    },
    hold: (now) => {
      held = now;
      arm();
    },
    drop: () => {
      queue = [];
      settle();
    },
    unread: () => queue.reduce((count, { counts }) => count + (counts ? 1 : 0), 0),
    drained: () => new Promise((resolve) => (queue.length === 0 ? resolve() : waiting.push(resolve))),
  };
}

const ABNORMAL = 1006;

export function createLine(context: SimulationContext, weather: Weather): Line {
  const texts: Record<Side, (text: string) => void> = { client: () => {}, relay: () => {} };
  const closes: Record<Side, (code: number) => void> = { client: () => {}, relay: () => {} };
  const open: Record<Side, boolean> = { client: true, relay: true };
  let whole = true;

  const ended = (side: Side, code: number): void => {
    if (!open[side]) return;
    open[side] = false;
    closes[side](code);
  };

  const arrive =
    (at: Side) =>
    ({ text }: Item): void => {
      if (text !== undefined && open[at]) texts[at](text);
      if (text === undefined) ended(at, ABNORMAL);
    };

  const to: Record<Side, Pipe> = {
    client: createPipe(context, weather, arrive('client')),
    relay: createPipe(context, weather, arrive('relay')),
  };

  const end = (here: Side, there: Side): LineEnd => ({
    send: (text, counts = false) => {
      if (open[here] && whole) to[there].push({ text, counts });
    },
    close: (code) => {
      if (!open[here]) return;
      if (whole) to[there].push({ counts: false });
      to[here].drop();
      ended(here, code);
    },
    onText: (listener) => {
      texts[here] = listener;
    },
    onClose: (listener) => {
      closes[here] = listener;
    },
    isOpen: () => open[here],
    unread: () => to[there].unread(),
    drained: () => to[there].drained(),
  });

  return {
    client: end('client', 'relay'),
    relay: end('relay', 'client'),
    cut: (hears) => {
      whole = false;
      to.client.drop();
      to.relay.drop();
      for (const side of hears) context.after(1, () => ended(side, ABNORMAL));
    },
    hold: (side, held) => to[side].hold(held),
  };
}
