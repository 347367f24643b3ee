import type { CardProblems, Payment } from '../pay/payment-service.ts';
import { pageElement } from './parts/page-element.ts';
import type { PaymentMessage } from './parts/payment-message.ts';
import { postForm } from './parts/shop-request.ts';

const FIELDS = ['number', 'expiry', 'code'] as const;

const form = pageElement('#card', HTMLFormElement);
const number = pageElement('#number', HTMLInputElement);

number.addEventListener('input', () => {
  const digits = number.value.replace(/\D/g, '').slice(0, 19);
  const grouped = digits.replace(/(\d{4})(?=\d)/g, '$1 ');
  if (grouped !== number.value) number.value = grouped;
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void pay();
});

async function pay(): Promise<void> {
  const body = new URLSearchParams(FIELDS.map((field) => [field, fieldInput(field).value]));
  const outcome = await postForm<Payment, CardProblems>(form.action, body);
  showProblems(outcome.ok ? {} : outcome.refusal);
  if (outcome.ok) tellShop(outcome.answer);
}

function tellShop({ id, cardEnding }: Payment): void {
  pageElement('#paid', HTMLElement).textContent = `Paid with the card ending ${cardEnding}.`;
  pageElement('button', HTMLButtonElement, form).disabled = true;
  const message: PaymentMessage = { type: 'harbour-pay:paid', payment: id, cardEnding };
  window.parent.postMessage(message, form.dataset['shop'] ?? '');
}

function showProblems(problems: CardProblems): void {
  for (const field of FIELDS) showProblem(fieldInput(field), problems[field]);
  const first = FIELDS.find((field) => problems[field] !== undefined);
  if (first) fieldInput(first).focus();
}

function showProblem(input: HTMLInputElement, text: string | undefined): void {
  document.getElementById(`${input.id}-problem`)?.remove();
  input.removeAttribute('aria-invalid');
  input.removeAttribute('aria-describedby');
  if (text === undefined) return;
  const problem = document.createElement('p');
  problem.id = `${input.id}-problem`;
  problem.className = 'problem';
  problem.textContent = text;
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', problem.id);
  input.after(problem);
}

function fieldInput(field: string): HTMLInputElement {
  return pageElement(`#${field}`, HTMLInputElement);
}
