import { element } from './parts.ts';

/** Files of a draft: chosen in a hidden field or pasted, and shown until it is sent. */
export function createAttachedFiles(input: HTMLElement) {
  const shown = element('div', { class: 'attached-files' });
  let files: readonly File[] = [];
  const add = (more: Iterable<File>): void => {
    files = [...files, ...more];
    shown.replaceChildren(...files.map(({ name }) => element('span', { class: 'attached-file' }, name)));
  };
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.hidden = true;
  field.addEventListener('change', () => add(field.files ?? []));
  input.addEventListener('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  });
  return {
    parts: [field, shown],
    /** Takes the files of the message that is sent now. */
    take(): readonly File[] {
      const sent = files;
      files = [];
      field.value = '';
      shown.replaceChildren();
      return sent;
    },
  };
}

/** Describes a file as the scripted agent does. */
export async function fileWords(file: File): Promise<string> {
  if (file.type.startsWith('text/')) return `resource ${await file.text()}`;
  if (file.type.startsWith('image/')) return `image ${file.type} ${Math.ceil(file.size / 3) * 4}`;
  return `link ${file.name}`;
}
