import { type CartView, EMPTY_CART } from '../../cart.ts';
import { getJson, postForm } from './shop-request.ts';

/** Dispatched on document when the cart has changed; `total` is in euros. */
export const CART_CHANGED = 'shop:cart-changed';

export type CartChange = { count: number; total: number };

let current: CartView | undefined;
const watchers = new Set<() => void>();

/** Undefined until the server's first answer. */
export function currentCart(): CartView | undefined {
  return current;
}

export function watchCart(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export async function loadCart(): Promise<void> {
  keep(await getJson<CartView>('/api/cart'));
}

export async function changeCart(change: 'add' | 'set', product: string, quantity: number): Promise<void> {
  const body = new URLSearchParams({ product, quantity: String(quantity) });
  const outcome = await postForm<CartView>(`/cart/${change}`, body);
  if (outcome.ok) announce(outcome.answer);
}

/** The server empties the cart when it accepts the order. */
export function forgetCart(): void {
  announce(EMPTY_CART);
}

function announce(cart: CartView): void {
  keep(cart);
  const detail: CartChange = { count: cart.count, total: cart.totalCents / 100 };
  document.dispatchEvent(new CustomEvent(CART_CHANGED, { detail }));
}

function keep(cart: CartView): void {
  current = cart;
  for (const watcher of watchers) watcher();
}
