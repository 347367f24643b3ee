import { pageElement } from './parts/page-element.ts';
import { readPaymentMessage } from './parts/payment-message.ts';

/** Runs in the corner's page and in the newsletter's frame. */
const payUrl = document.querySelector<HTMLElement>('#frames')?.dataset['payUrl'];
if (payUrl !== undefined) {
  window.addEventListener('message', (event) => {
    const message = readPaymentMessage(event, payUrl);
    if (message)
      pageElement('#gift-card', HTMLElement).textContent = `Paid, card ending ${message.cardEnding}.`;
  });
}

const newsletter = document.querySelector<HTMLFormElement>('#newsletter');
newsletter?.addEventListener('submit', (event) => {
  event.preventDefault();
  const email = String(new FormData(newsletter).get('email'));
  pageElement('output', HTMLOutputElement, newsletter).textContent = `The next letter goes to ${email}.`;
});
