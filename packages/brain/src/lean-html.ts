/** Elements without readable content, dropped whole. */
const DROPPED = ['script', 'style', 'noscript', 'svg', 'template'];
const LOOKS = /\s(?:class|style)\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/** A page's HTML without code and styles, cut to length. One pass per kind, even for broken markup. */
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
