import { useEffect, useSyncExternalStore } from 'react';
import type { CartView } from '../../cart.ts';
import { currentCart, loadCart, watchCart } from './cart-store.ts';

export function useCart(): CartView | undefined {
  useEffect(() => {
    if (!currentCart()) void loadCart();
  }, []);
  return useSyncExternalStore(watchCart, currentCart);
}
