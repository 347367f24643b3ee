/** What says nothing to a reader: with its content, for as long as it is closed. */
const DROPPED = ['script', 'style', 'noscript', 'svg', 'template'];
const LOOKS = /\s(?:class|style)\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/** A page's HTML without code and looks, cut to so many characters. One pass for each kind, however broken it is. */
export function leanHtml(html: string, longest: number): string {
  const lean = DROPPED.reduce(
    (text, tag) => without(text, `<${tag}`, `</${tag}>`),
    without(html, '<!--', '-->'),
  );
  const plain = lean.replaceAll(LOOKS, '').replaceAll(/\s{2,}/g, '\n');
  return plain.length <= longest ? plain : `${plain.slice(0, longest)}\n(cut here)`;
}

function without(text: string, open: string, close: string): string {
  const lower = text.toLowerCase();
  const kept: string[] = [];
  let from = 0;
  for (let start = lower.indexOf(open); start >= 0; start = lower.indexOf(open, from)) {
    const end = lower.indexOf(close, start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + close.length;
  }
  return kept.join('') + text.slice(from);
}
