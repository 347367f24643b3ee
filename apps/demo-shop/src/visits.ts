import { randomUUID } from 'node:crypto';
import type { Cart, CartLine } from './cart.ts';
import type { Delivery } from './delivery.ts';

export type Order = {
  number: string;
  lines: CartLine[];
  delivery: Delivery;
  totalCents: number;
  /** The last four digits; nothing more of a card is stored. */
  /** Absent for an invoice. */
  cardEnding?: string;
};

/** State of one browser. */
export type Visit = {
  cart: Cart;
  orders: Order[];
  customer: string | undefined;
};

export type VisitBook = {
  find(key: string | undefined): Visit | undefined;
  open(): { key: string; visit: Visit };
  orders(): Order[];
  emptyCarts(): void;
  clear(): void;
};

const FIRST_ORDER_NUMBER = 1001;

export function createVisitBook(): VisitBook {
  const visits = new Map<string, Visit>();
  return {
    find: (key) => (key === undefined ? undefined : visits.get(key)),
    open() {
      const key = randomUUID();
      const visit: Visit = { cart: new Map(), orders: [], customer: undefined };
      visits.set(key, visit);
      return { key, visit };
    },
    orders: () => [...visits.values()].flatMap((visit) => visit.orders),
    emptyCarts() {
      for (const { cart } of visits.values()) cart.clear();
    },
    clear: () => visits.clear(),
  };
}

/** Counted per visit, so that concurrent tests know their numbers beforehand. */
export function nextOrderNumber(visit: Visit): string {
  return `LO-${FIRST_ORDER_NUMBER + visit.orders.length}`;
}
