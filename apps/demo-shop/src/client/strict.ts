import { pageElement } from './parts/page-element.ts';

const form = pageElement('#question', HTMLFormElement);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const question = String(new FormData(form).get('question'));
  pageElement('output', HTMLOutputElement, form).textContent = `Asked: ${question}`;
});
