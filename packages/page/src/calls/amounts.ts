/** Currency codes that pages put beside an amount: https://www.iso.org/iso-4217-currency-codes.html. */
const CODES =
  'USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|BRL|MXN|ARS|CLP|COP|PEN|ZAR|KRW|SGD|HKD|TWD|THB|IDR|MYR|PHP|VND|ILS|AED|SAR|EGP|NGN|KES|PKR|BDT|BTC|ETH|USDT';
const WORDS =
  'euros?|dollars?|pounds?|francs?|kr\\.?|zł|kč|ft|lei|лв|руб\\.?|р\\.|грн|元|円|원|tl|rs\\.?|credits?';
const NUMBER = "\\p{Nd}(?:[\\p{Nd}\\s.,'’٫٬]{0,18}\\p{Nd})?";
const AMOUNT = new RegExp(
  `(?:\\p{Sc}|(?<!\\p{L})(?:${CODES}|kr|rs)\\.?)\\s?[-−]?${NUMBER}|${NUMBER}\\s?(?:[,.][-–—]+\\s?)?(?:\\p{Sc}|(?:${CODES}|${WORDS})(?!\\p{L}))`,
  'iu',
);
/** Labels of a total. */
const TOTAL =
  /total|summe|gesamt|zu zahlen|zahlbetrag|endbetrag|amount due|to pay|you pay|payable|à payer|montant|importe|a pagar|importo|da pagare|totaal|te betalen|razem|do zapłaty|итого|к оплате|合計|合计|总计|합계|المجموع/iu;

const MAX_AMOUNTS = 6;
const MAX_LINE_CHARS = 100;

/** A number with its currency beside it, and no other number before it. */
const GROUPED = "\\p{Nd}+(?:[\\s.,'’٫٬]\\p{Nd}{3})*(?:[.,٫]\\p{Nd}{1,2})?";
const MONEY = new RegExp(
  `(?:\\p{Sc}|(?<!\\p{L})(?:${CODES}|kr|rs)\\.?)\\s?[-−]?${GROUPED}(?!\\p{Nd})|(?<!\\p{Nd})${GROUPED}\\s?(?:[,.][-–—]+\\s?)?(?:\\p{Sc}|(?:${CODES}|${WORDS})(?!\\p{L}))`,
  'giu',
);

/** Places of amounts of money. */
export const moneyIn = (text: string): readonly (readonly [start: number, end: number])[] =>
  [...text.matchAll(MONEY)].map(({ 0: { length }, index }) => [index, index + length] as const);

export const isAmount = (text: string): boolean => AMOUNT.test(text);

const ONLY = /^(?:only|now|just|nur|jetzt|solo|ora|nu|ahora)?$/i;
const FOR = /(?:^|\s)(?:for|für|pour|por|para|per|voor|för|for|za|за|pentru)$/iu;
const POINTS = /\sfor\s\p{Nd}[\p{Nd},.]*\s(?:coins|credits|points|gems|tokens|diamonds|stars)$/iu;
const MOST_WORDS = 6;

/** "$9.99", "12 USD", "Get it for $9.99": a label that says no more than what a press costs. */
export function isPrice(label: string): boolean {
  const text = label.replace(/\s+/g, ' ').trim();
  if (text.split(' ').length > MOST_WORDS + 3) return false;
  const [money, ...more] = moneyIn(text);
  if (money === undefined || more.length > 0) return POINTS.test(text);
  const [before, after] = [text.slice(0, money[0]).trim(), text.slice(money[1]).trim()];
  const isEnd = /^(?:[!.]|\/?\s?\p{L}{1,6})?$/u.test(after);
  return isEnd && (ONLY.test(before) || (FOR.test(before) && before.split(' ').length <= MOST_WORDS));
}

/** Lines with an amount of money in them, totals first. A bare amount gets the line before it. */
export function amountLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const seen = lines.filter((line) => line !== '');
  const found = seen.flatMap((line, at) => {
    const amount = AMOUNT.exec(line)?.[0];
    if (amount === undefined) return [];
    const before = seen[at - 1] ?? '';
    const isBare = line.length - amount.length < 3 && before !== '' && !AMOUNT.test(before);
    return [excerpt(isBare ? `${before} ${line}` : line, amount)];
  });
  const all = [...new Set(found)];
  return [...all.filter(isTotal), ...all.filter((line) => !isTotal(line))].slice(0, MAX_AMOUNTS);
}

/** `2 × Arc lamp`, `Arc lamp × 2`. */
const QUANTITY = /(?:^|\s)\p{Nd}{1,4}\s?[×✕x]\s+\p{L}|\p{L}\s*[×✕x]\s?\p{Nd}{1,4}(?![\p{Nd}\p{L}])/iu;

/** Lines that say how many of what. */
export function goodsLines(text: string): string[] {
  const found = text.split('\n').flatMap((line) => {
    const whole = line.replace(/\s+/g, ' ').trim();
    const quantity = QUANTITY.exec(whole)?.[0];
    return quantity === undefined ? [] : [excerpt(whole, quantity)];
  });
  return [...new Set(found)].slice(0, MAX_AMOUNTS);
}

export const isTotal = (line: string): boolean => TOTAL.test(line);

/** The part of a long line around its amount. */
function excerpt(line: string, amount: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const at = line.indexOf(amount);
  return `…${line.slice(Math.max(0, at - MAX_LINE_CHARS / 2), at + MAX_LINE_CHARS / 2)}…`;
}
