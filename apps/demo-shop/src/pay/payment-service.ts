export type CardProblems = { number?: string; expiry?: string; code?: string };

export type Payment = { id: string; amountCents: number; cardEnding: string };

export type PaymentService = {
  take(card: Card, amountCents: number): Payment | CardProblems;
  /** Uses up a payment for one order of exactly its amount. */
  redeem(id: string, amountCents: number): Payment | undefined;
};

export type Card = { number: string; expiry: string; code: string };

/** Published test number for a refused card. */
const REFUSED_NUMBER = '4000000000000002';

export function createPaymentService(): PaymentService {
  const open = new Map<string, Payment>();
  let taken = 0;
  return {
    take(card, amountCents) {
      const problems = cardProblems(card);
      if (Object.keys(problems).length > 0) return problems;
      taken += 1;
      const payment = { id: `pay-${taken}`, amountCents, cardEnding: digitsOf(card.number).slice(-4) };
      open.set(payment.id, payment);
      return payment;
    },
    redeem(id, amountCents) {
      const payment = open.get(id);
      if (payment?.amountCents !== amountCents) return undefined;
      open.delete(id);
      return payment;
    },
  };
}

export function cardProblems(card: Card): CardProblems {
  const problems: CardProblems = {};
  const number = digitsOf(card.number);
  if (number.length < 13 || !passesLuhn(number)) problems.number = 'Check the card number.';
  else if (number === REFUSED_NUMBER) problems.number = 'The bank refused this card. Try another one.';
  // Not compared with the clock: a test that passes today passes in ten years.
  if (!/^(0[1-9]|1[0-2]) ?\/ ?\d\d$/.test(card.expiry.trim()))
    problems.expiry = 'Enter month and year, like 08/30.';
  if (!/^\d{3,4}$/.test(card.code.trim())) problems.code = 'Enter the 3 or 4 digits on the card.';
  return problems;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
