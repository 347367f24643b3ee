import { pageElement } from './parts/page-element.ts';

const password = pageElement('#password', HTMLInputElement);
const reveal = pageElement('#reveal', HTMLButtonElement);

reveal.addEventListener('click', () => {
  const shown = password.type === 'password';
  password.type = shown ? 'text' : 'password';
  reveal.setAttribute('aria-pressed', String(shown));
});

document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
