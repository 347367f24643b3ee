/**
 * INT-332: a plan step is one browser action. Splits what a model wrote as one: "Type Ada and press Send". A part is
 * split off only where an action begins, so that "Compare size and colour" stays whole.
 */
const ACTION =
  'navigate|go|open|visit|search|type|enter|fill|set|write|click|double-click|right-click|press|tap|check|tick|uncheck|untick|select|choose|pick|scroll|submit';
const BEGINS = new RegExp(`^(?:${ACTION})\\s+\\S`, 'i');
const BETWEEN = new RegExp(
  `\\s*(?:[,;]\\s*(?:and\\s+)?(?:then\\s+)?|\\s(?:and\\s+)?then\\s+|\\sand\\s+)(?=(?:${ACTION})\\s+\\S)`,
);
const QUOTED = /"[^"]*"|“[^”]*”|'[^']*'/g;

export function atomicSteps(step: string): string[] {
  if (!BEGINS.test(step)) return [step];
  const quotes: string[] = [];
  const masked = step.replace(QUOTED, (text) => `\uE000${quotes.push(text) - 1}\uE000`);
  return masked
    .split(BETWEEN)
    .map((part) => part.replace(/\uE000(\d+)\uE000/g, (_, index: string) => quotes[Number(index)] ?? ''))
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)));
}
