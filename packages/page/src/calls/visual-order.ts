/** Beyond these a text is content, and its order is left to the document. */
const MOST_CHARS = 200;
const MOST_PIECES = 60;

interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The text of a control as it is drawn, when flex, grid, floats or positions changed its order, or a part is
 * transparent or clipped; with and without its line breaks, for letters may stand below each other.
 */
export function drawnOrderOf(control: Element): string[] {
  if ((control.textContent ?? '').length > MOST_CHARS) return [];
  const pieces = piecesOf(control);
  const lines = linesOf(pieces).map(joined);
  const drawn = [lines.join(' '), lines.join('')];
  const written = lettersOf(control.textContent ?? '');
  return [...new Set(drawn)].filter((text) => text !== '' && lettersOf(text) !== written);
}

/** A word that is broken by `<br>` or by blocks. */
export const withoutBreaks = (text: string): string[] =>
  text.length <= MOST_CHARS && text.includes('\n') ? [text.replace(/\s*\n\s*/g, '')] : [];

const lettersOf = (text: string): string => text.replace(/\s/g, '');

function piecesOf(control: Element): Piece[] {
  const { ownerDocument: document } = control;
  const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const pieces: Piece[] = [];
  for (let node = walker.nextNode(); node !== null && pieces.length < MOST_PIECES; node = walker.nextNode()) {
    if (node.parentElement !== null && isUnseen(node.parentElement, control)) continue;
    for (const { 0: text, index } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + text.length);
      const { left, right, top, bottom, width, height } = range.getBoundingClientRect();
      if (width > 0 && height > 0) pieces.push({ text, left, right, top, bottom });
    }
  }
  return pieces;
}

/** Transparent, clipped away, or in a box of a pixel, within a control. */
function isUnseen(element: Element, control: Element): boolean {
  if (element === control) return false;
  const { opacity, visibility, clipPath, overflow } = getComputedStyle(element);
  if (opacity === '0' || visibility === 'hidden' || /^inset\((?:50|100)%/.test(clipPath)) return true;
  const { width, height } = element.getBoundingClientRect();
  if (overflow !== 'visible' && (width <= 1 || height <= 1)) return true;
  return element.parentElement !== null && isUnseen(element.parentElement, control);
}

/** Pieces that share at least half of their height stand in one line. */
function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [];
  for (const piece of [...pieces].sort((one, other) => one.top - other.top)) {
    const line = lines.find(([first]) => first !== undefined && shareLine(first, piece));
    if (line === undefined) lines.push([piece]);
    else line.push(piece);
  }
  return lines;
}

function shareLine(one: Piece, other: Piece): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > Math.min(one.bottom - one.top, other.bottom - other.top) / 2;
}

/** Pieces without a visible gap are one word. */
function joined(line: readonly Piece[]): string {
  const pieces = [...line].sort((one, other) => one.left - other.left);
  return pieces.reduce((text, piece, index) => {
    const before = pieces[index - 1];
    const gap = before === undefined ? 0 : piece.left - before.right;
    return `${text}${gap > (piece.bottom - piece.top) / 10 ? ' ' : ''}${piece.text}`;
  }, '');
}
