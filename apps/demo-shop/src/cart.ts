import { findProduct, type Product } from './catalogue.ts';

/** Quantity by product id. */
export type Cart = Map<string, number>;

export type CartLine = { product: Product; quantity: number; sumCents: number };
export type CartView = { lines: CartLine[]; count: number; totalCents: number };

export const MOST_OF_ONE_PRODUCT = 20;
export const EMPTY_CART: CartView = { lines: [], count: 0, totalCents: 0 };

export function setQuantity(cart: Cart, productId: string, quantity: number): void {
  if (!Number.isInteger(quantity)) return;
  if (quantity <= 0) cart.delete(productId);
  else cart.set(productId, Math.min(quantity, MOST_OF_ONE_PRODUCT));
}

export function addToCart(cart: Cart, productId: string, quantity: number): void {
  setQuantity(cart, productId, (cart.get(productId) ?? 0) + quantity);
}

export function viewCart(cart: Cart): CartView {
  const lines = [...cart].flatMap(([id, quantity]): CartLine[] => {
    const product = findProduct(id);
    return product ? [{ product, quantity, sumCents: product.priceCents * quantity }] : [];
  });
  return {
    lines,
    count: lines.reduce((count, line) => count + line.quantity, 0),
    totalCents: lines.reduce((total, line) => total + line.sumCents, 0),
  };
}
