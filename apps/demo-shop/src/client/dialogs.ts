import { pageElement } from './parts/page-element.ts';

const answer = pageElement('#answer', HTMLOutputElement);
const modal = pageElement('#modal', HTMLDialogElement);
const askLeaving = pageElement('#ask-leaving', HTMLInputElement);

function onClick(selector: string, act: () => string): void {
  pageElement(selector, HTMLButtonElement).addEventListener('click', () => {
    answer.textContent = act();
  });
}

onClick('#ask-alert', () => {
  alert('The shop closes in ten minutes.');
  return 'alert seen';
});
onClick('#ask-confirm', () => (confirm('Remove everything from the cart?') ? 'confirmed' : 'declined'));
onClick('#ask-prompt', () => `prompt: ${prompt('What should we engrave?', 'For you') ?? 'cancelled'}`);
onClick('#open-modal', () => {
  modal.showModal();
  return 'dialog open';
});

modal.addEventListener('close', () => {
  answer.textContent = `dialog: ${modal.returnValue || 'dismissed'}`;
});

window.addEventListener('beforeunload', (event) => {
  if (askLeaving.checked) event.preventDefault();
});
