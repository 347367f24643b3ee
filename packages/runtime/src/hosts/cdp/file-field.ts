import { BridgeError } from '@drawbridge/protocol';
import type { IsolatedWorld } from './isolated-world.ts';

/** The field itself, the field of a label, or a hidden field beside the button that opens it. */
const FIND_FIELD = `(id) => {
  const isFileField = (element) => element?.localName === 'input' && element.type === 'file';
  const search = (root) => {
    const found = root.querySelector('[data-llm-id="' + CSS.escape(id) + '"]');
    if (found !== null) return found;
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot ?? element.contentDocument;
      const deep = inner == null ? null : search(inner);
      if (deep !== null) return deep;
    }
    return null;
  };
  const element = search(document);
  if (element === null || isFileField(element)) return element;
  if (isFileField(element.control)) return element.control;
  for (let outer = element; outer !== null; outer = outer.parentElement) {
    const fields = [...outer.querySelectorAll('input[type=file]')];
    const hidden = fields.filter((field) => !field.checkVisibility() || field.tabIndex < 0);
    if (fields.length > 0) return fields.length === 1 ? fields[0] : hidden.length === 1 ? hidden[0] : null;
  }
  return null;
}`;

/** Puts local files into a file field, with the events of a person's choice. */
export async function setFilesIn(
  { session, uniqueId }: IsolatedWorld,
  id: string,
  paths: readonly string[],
): Promise<void> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: FIND_FIELD,
    uniqueContextId: uniqueId,
    arguments: [{ value: id }],
  });
  const { objectId } = result;
  if (objectId === undefined) {
    const message = `${id} is no file field, and none belongs to it. Take a snapshot and name the field.`;
    throw new BridgeError('target_not_found', message, { evidence: { id } });
  }
  await session.send('DOM.setFileInputFiles', { objectId, files: [...paths] });
  await session.send('Runtime.releaseObject', { objectId });
}
