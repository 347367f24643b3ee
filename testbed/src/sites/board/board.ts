export const LANES = ['To do', 'Doing', 'Done'] as const;
export type Lane = (typeof LANES)[number];

export type Card = { id: string; title: string; tag: string; lane: Lane };

/** A board for a shared garden. Cards keep the order in which they entered their lane. */
export type Board = { cards: Card[]; made: number };

const FIRST_CARDS: readonly (readonly [Lane, string, string])[] = [
  ['To do', 'Sow broad beans', 'Beds'],
  ['To do', 'Mend the water butt', 'Repairs'],
  ['To do', 'Order compost', 'Shopping'],
  ['Doing', 'Build the bug hotel', 'Wildlife'],
  ['Doing', 'Prune the apple tree', 'Trees'],
  ['Done', 'Clear the paths', 'Beds'],
];

const MOST_CARDS = 60;

export function createBoard(): Board {
  const board: Board = { cards: [], made: 0 };
  for (const [lane, title, tag] of FIRST_CARDS) addCard(board, lane, title, tag);
  return board;
}

/** Returns the problem, or undefined. */
export function addCard(board: Board, lane: Lane, title: string, tag = 'New'): string | undefined {
  const name = title.trim();
  if (name === '') return 'Write what is to be done.';
  if (name.length > 80) return 'Keep it under 80 characters.';
  if (board.cards.length >= MOST_CARDS) return 'The board is full. Delete a card first.';
  board.made += 1;
  board.cards.push({ id: `card-${board.made}`, title: name, tag, lane });
  return undefined;
}

export function moveCard(board: Board, id: string, lane: Lane): void {
  const card = board.cards.find((each) => each.id === id);
  if (!card || card.lane === lane) return;
  board.cards = [...board.cards.filter((each) => each !== card), { ...card, lane }];
}

export function deleteCard(board: Board, id: string): void {
  board.cards = board.cards.filter((card) => card.id !== id);
}

export const isLane = (text: string): text is Lane => LANES.some((lane) => lane === text);
