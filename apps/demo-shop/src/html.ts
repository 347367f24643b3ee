export type Html = { readonly html: string };

type Piece = string | number | Html | readonly Piece[] | false | undefined;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function pieceText(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string') return escapeText(piece);
  if (typeof piece === 'number') return String(piece);
  if ('html' in piece) return piece.html;
  return piece.map(pieceText).join('');
}

/** Escapes every value that is not itself a result of `html`. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { html: String.raw({ raw: strings }, ...pieces.map(pieceText)) };
}
