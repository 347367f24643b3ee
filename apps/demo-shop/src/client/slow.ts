import { changeCart } from './parts/cart-store.ts';
import { pageElement } from './parts/page-element.ts';
import { getJson } from './parts/shop-request.ts';
import { showToast } from './parts/toast.ts';

const TICK_MS = 50;

const late = pageElement('#late', HTMLElement);
const restless = pageElement('#restless', HTMLButtonElement);
const ticks = pageElement('#ticks', HTMLOutputElement);
let ticking: ReturnType<typeof setInterval> | undefined;

restless.addEventListener('click', () => {
  clearInterval(ticking);
  ticking = ticking === undefined ? setInterval(tick, TICK_MS) : undefined;
  restless.textContent = ticking === undefined ? 'Start the restless counter' : 'Stop the restless counter';
});

function tick(): void {
  ticks.textContent = String(Number(ticks.textContent) + 1);
}

async function showLateStock(): Promise<void> {
  const { pieces } = await getJson<{ pieces: number }>(`/api/late?ms=${late.dataset['lateMs']}`);
  const text = document.createElement('p');
  text.textContent = `Found ${pieces} lanterns at the very back.`;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Take one';
  button.addEventListener('click', () => {
    changeCart('add', 'storm-lantern', 1).then(
      () => showToast('Storm lantern is in your cart.'),
      () => showToast('The lantern could not be added.', undefined, 'failed'),
    );
  });
  late.replaceChildren(text, button);
  late.removeAttribute('aria-busy');
}

void showLateStock();
