import type { SeededRandom } from '@drawbridge/testbed';

/** Markup of a trial's rows. */
export const SHAPES = ['list', 'table', 'cards', 'named', 'orders', 'grid', 'links'] as const;

/** Changes of a page's rows between an agent's snapshot and its action. */
export const MUTATIONS = [
  'replace_all',
  'replace_target',
  'recycle',
  'swap_with_neighbour',
  'move_ids',
  'copy_ids',
  'strip_ids',
  'lookalike',
  'reorder',
  'delete_other',
  'delete_target',
  'rename_target',
  'insert_rows',
  'push_down',
] as const;

export type Mutation = { readonly kind: (typeof MUTATIONS)[number]; readonly dice: readonly number[] };

export interface Trial {
  readonly shape: (typeof SHAPES)[number];
  readonly rows: number;
  readonly target: number;
  /** Which of a row's two buttons. */
  readonly second: boolean;
  readonly mutations: readonly Mutation[];
}

export interface TrialEnd {
  /** `right`: the intended row's button; `wrong`: any other; `refused`: none. */
  readonly outcome: 'right' | 'wrong' | 'refused';
  /** The intended row still exists under its name, and the node or the name identifies it. */
  readonly recoverable: boolean;
  readonly reason?: string;
  readonly pressed?: string;
}

export function createTrial(random: SeededRandom): Trial {
  const rows = random.int(4, 9);
  const count = random.int(1, 3);
  const mutations = Array.from({ length: count }, () => ({
    kind: random.pick(MUTATIONS),
    dice: Array.from({ length: 12 }, () => random.next()),
  }));
  return {
    shape: random.pick(SHAPES),
    rows,
    target: random.int(0, rows - 1),
    second: random.chance(0.5),
    mutations: hasImpostor(mutations) ? mutations.filter(({ kind }) => kind !== 'lookalike') : mutations,
  };
}

/** With the original gone or renamed, a person would press its copy too: it looks like a re-render. */
function hasImpostor(mutations: readonly Mutation[]): boolean {
  return mutations.some(({ kind }) => kind === 'delete_target' || kind === 'rename_target');
}

/** Runs in the page, so it may use only `actionsKit`. */
export async function runTrial(trial: Trial): Promise<TrialEnd> {
  interface Item {
    key: string;
    label: string;
  }
  const PEOPLE = [
    'Alice',
    'Bob',
    'Carla',
    'Dmitri',
    'Emma',
    'Farid',
    'Greta',
    'Hugo',
    'Ines',
    'Jonas',
    'Kim',
    'Lena',
  ];
  /** The item that each node shows now, by which a press is judged. */
  const shown = new Map<Element, Item>();
  const pressed: string[] = [];
  document.body.replaceChildren();
  const spacer = document.createElement('div');
  const list = document.createElement(
    { table: 'table', list: 'ul', orders: 'ol' }[String(trial.shape)] ?? 'div',
  );
  document.body.append(spacer, list);

  const control = (row: Element, name: string) => {
    const made = document.createElement(trial.shape === 'links' ? 'a' : 'button');
    if (trial.shape === 'links') made.setAttribute('href', '#');
    made.textContent = name;
    made.dataset['verb'] = name;
    made.onclick = () => {
      pressed.push(`${name} ${shown.get(row)?.key}`);
      made.setAttribute('aria-pressed', String(made.getAttribute('aria-pressed') !== 'true'));
    };
    return made;
  };
  const boxed = (tag: string, className: string, ...content: (string | Element)[]) => {
    const box = document.createElement(tag);
    box.className = className;
    box.append(...content);
    return box;
  };
  const draw = (row: Element, item: Item) => {
    const [edit, remove] = [control(row, 'Edit'), control(row, 'Delete')];
    const label = document.createElement(
      trial.shape === 'cards' ? 'h3' : trial.shape === 'links' ? 'a' : 'span',
    );
    label.className = 'label';
    if (trial.shape === 'links') label.setAttribute('href', '#');
    if (trial.shape === 'table')
      row.replaceChildren(boxed('td', '', label), boxed('td', '', edit), boxed('td', '', remove));
    else if (trial.shape === 'grid')
      row.replaceChildren(...[label, edit, remove].map((part) => boxed('div', 'cell', part)));
    else if (trial.shape === 'named') row.replaceChildren(edit, remove);
    else row.replaceChildren(label, boxed('div', 'tools', edit, remove));
    relabel(row, item);
  };
  /** Shows another item in the same nodes, like a recycled row. */
  const relabel = (row: Element, item: Item) => {
    shown.set(row, item);
    const label = row.querySelector('.label');
    if (label !== null) label.textContent = item.label;
    else
      for (const made of row.querySelectorAll('button'))
        made.textContent = `${made.dataset['verb']} ${item.label}`;
  };
  const makeRow = (item: Item) => {
    const tags = {
      list: 'li',
      table: 'tr',
      cards: 'section',
      named: 'div',
      orders: 'li',
      grid: 'div',
      links: 'div',
    };
    const row = document.createElement(tags[trial.shape]);
    draw(row, item);
    return row;
  };
  const rows = () => [...list.children];
  const rowOf = (key: string) => rows().find((row) => shown.get(row)?.key === key);
  const at = <Thing>(things: readonly Thing[], dice: number) => things[Math.floor(dice * things.length)];

  const labelAt = (index: number) =>
    trial.shape === 'orders' ? `Order ${1001 + index}` : (PEOPLE[index] ?? '');
  for (let index = 0; index < trial.rows; index++) {
    list.append(makeRow({ key: `item-${index}`, label: labelAt(index) }));
  }
  const wantedKey = `item-${trial.target}`;
  const wantedLabel = labelAt(trial.target);
  const verb = trial.second ? 'Delete' : 'Edit';
  const node = rows()[trial.target]?.querySelector(`[data-verb=${verb}]`);
  if (node == null) throw new Error('The trial has no target.');
  actionsKit.perception.snapshot({ scope: 'page' });
  const id = actionsKit.registry.idOf(node);
  let fakes = 0;

  const apply: Record<string, (dice: readonly number[]) => void> = {
    replace_all: () => {
      for (const row of rows()) {
        const item = shown.get(row);
        if (item !== undefined) row.replaceWith(makeRow(item));
      }
    },
    replace_target: () => {
      const row = rowOf(wantedKey);
      const item = row === undefined ? undefined : shown.get(row);
      if (row !== undefined && item !== undefined) row.replaceWith(makeRow(item));
    },
    recycle: (dice) => {
      const all = rows();
      const items = all.map((row) => shown.get(row));
      const by = 1 + Math.floor((dice[0] ?? 0) * (all.length - 1));
      all.forEach((row, index) => {
        const item = items[(index + by) % items.length];
        if (item !== undefined) relabel(row, item);
      });
    },
    swap_with_neighbour: () => {
      const row = rowOf(wantedKey);
      const other = row?.nextElementSibling ?? row?.previousElementSibling;
      const [one, two] = [row && shown.get(row), other && shown.get(other)];
      if (row == null || other == null || one === undefined || two == null) return;
      relabel(row, two);
      relabel(other, one);
    },
    move_ids: () => {
      const stamped = [...document.querySelectorAll('[data-llm-id]')];
      const ids = stamped.map((element) => element.getAttribute('data-llm-id') ?? '');
      stamped.forEach((element, index) => {
        element.setAttribute('data-llm-id', ids.at(index - 1) ?? '');
      });
    },
    copy_ids: (dice) =>
      at([...document.querySelectorAll('[data-verb]')], dice[0] ?? 0)?.setAttribute('data-llm-id', id),
    strip_ids: () => {
      for (const element of document.querySelectorAll('[data-llm-id]'))
        element.removeAttribute('data-llm-id');
    },
    lookalike: (dice) => {
      fakes++;
      const fake = makeRow({ key: `fake-${fakes}`, label: wantedLabel });
      const beside = at(rows(), dice[0] ?? 0);
      if ((dice[1] ?? 0) < 0.5) beside?.before(fake);
      else rowOf(wantedKey)?.before(fake);
    },
    reorder: (dice) => {
      const order = rows().map((row, index) => ({ row, by: dice[index] ?? 0 }));
      list.append(...order.sort((one, other) => one.by - other.by).map(({ row }) => row));
    },
    delete_other: (dice) => {
      const row = at(rows(), dice[0] ?? 0);
      if (row !== undefined && shown.get(row)?.key !== wantedKey) row.remove();
    },
    delete_target: () => rowOf(wantedKey)?.remove(),
    rename_target: () => {
      const row = rowOf(wantedKey);
      if (row !== undefined) relabel(row, { key: wantedKey, label: `${wantedLabel} B` });
    },
    insert_rows: (dice) => {
      const fresh = makeRow({
        key: `new-${dice[1]}`,
        label: at(['Mona', 'Nils', 'Olga'], dice[1] ?? 0) ?? 'Mona',
      });
      at(rows(), dice[0] ?? 0)?.before(fresh);
    },
    push_down: (dice) => {
      spacer.style.height = `${Math.round((dice[0] ?? 0) * 400)}px`;
    },
  };
  for (const { kind, dice } of trial.mutations) apply[kind]?.(dice);

  const wanted = rowOf(wantedKey);
  const isThere = wanted !== undefined && shown.get(wanted)?.label === wantedLabel;
  const twins = rows().filter((row) => shown.get(row)?.label === wantedLabel).length;
  const isSameNode = wanted?.contains(node) === true;
  const result = await actionsKit.actions.click(id, { expected: { type: 'any_change', timeoutMs: 1_000 } });
  const recoverable = isThere && (isSameNode || twins === 1);
  if (pressed.length === 0)
    return { outcome: 'refused', recoverable, reason: result.ok ? 'nothing pressed' : result.error.message };
  const isRight = pressed.length === 1 && pressed[0] === `${verb} ${wantedKey}` && isThere;
  return { outcome: isRight ? 'right' : 'wrong', recoverable, pressed: pressed.join(', ') };
}
