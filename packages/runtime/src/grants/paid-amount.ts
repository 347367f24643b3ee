import { isTotal, moneyIn } from '@drawbridge/page/calls';
import { plainLine } from '@drawbridge/protocol';

/** Lines with money for a question: what would be paid, or prices that say no such thing. */
export interface Paid {
  readonly amounts: readonly string[];
  readonly prices: readonly string[];
}

const MAX_LABEL_CHARS = 100;
const SUBTOTAL = /sub-?\s?total|zwischensumme|sous-total|subtotaal|suma częściowa|小計|小计|소계/iu;
/** A price that comes again is never left out beside a total. */
const AGAIN =
  /(?:\/|\b(?:per|an?|each|every|pro|im|jeden?|par|al|por|per)\s)\s?(?:month|mo\b|year|yr|week|day|monat|jahr|woche|tag|mois|an\b|semaine|mes|año|semana|mese|anno)|monthly|yearly|annual|weekly|daily|monatlich|jährlich|wöchentlich|mensu|renew|verlänger/iu;

/**
 * The total that would be paid, when the totals near the button and the button's own price agree. Otherwise all
 * lines are prices: a guess would mislead the person.
 */
export function paidOf(lines: readonly string[], label: string | undefined): Paid {
  const own = label === undefined ? '' : plainLine(label, MAX_LABEL_CHARS);
  const all = [...new Set([...lines, ...(sumsIn(own).length === 1 ? [own] : [])])];
  const totals = lines.filter((line) => isTotal(line) && !SUBTOTAL.test(line));
  const says = totals.length > 0 ? totals : all.filter((line) => line === own);
  const [paid = all[0]] = says;
  const sums = [...says, ...(all.includes(own) ? [own] : [])].map(sumsIn);
  const isAgreed =
    says.length > 0
      ? sums.every((each) => each.some((sum) => sums.every((other) => other.includes(sum))))
      : new Set(all.flatMap(sumsIn)).size === 1;
  if (paid === undefined || !isAgreed) return { amounts: [], prices: all };
  return { amounts: [paid], prices: all.filter((line) => line !== paid && AGAIN.test(line)) };
}

/** Sums of a line, in hundredths with the signs beside them. */
const sumsIn = (line: string): readonly string[] =>
  moneyIn(line).map(([start, end]) => sumOf(line.slice(start, end)));

function sumOf(money: string): string {
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,٫](\p{Nd}{1,2}))?$/u.exec(digitsOf(money)) ?? [];
  const currency = money.replace(/[\p{Nd}\s.,'’٫٬–—]/gu, '').toLowerCase();
  return `${whole.replace(/\P{Nd}/gu, '')}.${cents.padEnd(2, '0')} ${currency}`;
}

const digitsOf = (money: string): string => /\p{Nd}(?:.*\p{Nd})?/u.exec(money)?.[0] ?? '';
