import { changeCart, currentCart, watchCart } from './parts/cart-store.ts';
import { showToast } from './parts/toast.ts';

/** On every page: the cart's count in the header, and adding to the cart without a navigation. */
watchCart(() => {
  const count = document.querySelector('[data-testid="cart-count"]');
  if (count) count.textContent = String(currentCart()?.count ?? 0);
});

document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement)) return;
  const name = event.target.dataset['add'];
  if (name === undefined) return;
  event.preventDefault();
  const form = new FormData(event.target);
  const added = changeCart('add', String(form.get('product')), Number(form.get('quantity') ?? 1));
  added.then(
    () => showToast(`${name} is in your cart.`),
    () => showToast(`${name} could not be added. Try again.`, undefined, 'failed'),
  );
});
