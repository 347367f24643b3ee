import { pageElement } from './parts/page-element.ts';
import { postForm } from './parts/shop-request.ts';

type Receipt = { name: string; bytes: number; sha256: string };

const form = pageElement('#upload', HTMLFormElement);
const plainField = pageElement('input[name="file"]', HTMLInputElement, form);
const hiddenField = pageElement('#hidden-file', HTMLInputElement);
const drop = pageElement('#drop', HTMLElement);
const received = pageElement('#received', HTMLElement);

plainField.addEventListener('change', () => void send(plainField.files));
hiddenField.addEventListener('change', () => void send(hiddenField.files));
pageElement('#choose', HTMLButtonElement).addEventListener('click', () => hiddenField.click());

drop.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  void send(event.dataTransfer?.files ?? null);
});

async function send(files: FileList | null): Promise<void> {
  if (!files || files.length === 0) return;
  const body = new FormData();
  for (const file of files) body.append('file', file);
  const outcome = await postForm<Receipt[]>('/corners/upload', body);
  if (outcome.ok) received.append(...outcome.answer.map(receiptItem));
}

function receiptItem({ name, bytes, sha256 }: Receipt): HTMLElement {
  const item = document.createElement('li');
  const digest = document.createElement('code');
  digest.textContent = sha256.slice(0, 12);
  item.append(`${name}, ${bytes} bytes, `, digest);
  return item;
}
