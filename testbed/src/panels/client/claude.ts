import { createAttachedFiles } from './attached-files.ts';
import { decoy, element, hashed, MODELS, MODES, part, place, reportToHost, unplace } from './parts.ts';
import { createPicker } from './picker.ts';
import { createAgent, type Question } from './script.ts';

/** Modelled on the Claude Code panel: React, CSS modules, a permission request over the input. */

const messages = element('div', { class: hashed('messagesContainer') });
const spinnerPlace = element('div');
const permissionPlace = element('div', { class: hashed('permissionsContainer') });
const composer = element('fieldset', { 'data-permission-mode': MODES[0] ?? '' });
const form = element('form', { class: hashed('inputContainer') }, composer);
const header = element('header', { class: hashed('header') });

const input = part('input', 'div', {
  class: hashed('messageInput'),
  role: 'textbox',
  contenteditable: 'plaintext-only',
  'aria-label': 'Message input',
  'aria-multiline': 'true',
});
const send = part(
  'send',
  'button',
  { class: hashed('sendButton'), type: 'submit', 'aria-label': 'Send message' },
  '↑',
);
const stop = part(
  'stop',
  'button',
  { class: hashed('stopButton'), type: 'button', 'aria-label': 'Stop' },
  '■',
);
const pickerPart = (name: 'model' | 'mode', label: string) =>
  part(name, 'button', {
    class: hashed('menuItem'),
    type: 'button',
    'aria-haspopup': 'listbox',
    'aria-label': label,
  });
const model = pickerPart('model', 'Select model');
const mode = pickerPart('mode', 'Select permission mode');
const fresh = part(
  'new',
  'button',
  { class: hashed('newSession'), type: 'button', 'aria-label': 'New session' },
  '+',
);

const attached = createAttachedFiles(input);

const row = (kind: string, extra: Record<string, string>, ...children: (Node | string)[]) =>
  element('div', { class: `${hashed('message')} ${kind}`.trim(), ...extra }, ...children);

let question: { readonly dialog: HTMLElement; readonly answer: (chosen?: number) => void } | undefined;

const agent = createAgent({
  user(text) {
    const words = element('div', { class: hashed('userMessage') }, text);
    const shown = part(
      'user',
      'div',
      { class: `${hashed('message')} ${hashed('userMessageContainer')}` },
      words,
    );
    if (shown.className.startsWith('v2-')) words.className = 'v2-words';
    place('user', shown, messages);
  },
  assistant() {
    const words = element('p');
    const shown = part(
      'assistant',
      'div',
      { class: hashed('message'), 'data-testid': 'assistant-message' },
      element('div', { class: hashed('markdown') }, words),
    );
    place('assistant', shown, messages);
    return (chunk) => words.append(chunk);
  },
  thought: (text) =>
    messages.append(
      row(
        '',
        {},
        element(
          'details',
          { class: hashed('thinking'), open: '' },
          element('summary', { class: hashed('thinkingSummary') }, 'Thinking'),
          element('div', { class: hashed('thinkingContent') }, text),
        ),
      ),
    ),
  tool: (name, subject, result) =>
    messages.append(
      row(
        '',
        {},
        element(
          'div',
          { class: hashed('toolUse') },
          element('span', { class: hashed('toolNameText') }, name),
          element('span', { class: hashed('toolNameTextSecondary') }, subject),
          element('div', { class: hashed('toolBodyRowContent') }, result),
        ),
      ),
    ),
  activity(label) {
    spinnerPlace.replaceChildren();
    unplace(stop);
    if (label === null) return;
    place('activity', spinner(label), spinnerPlace);
    place('stop', stop, composer);
  },
  ask: ({ title, command, choices }, signal) =>
    new Promise((resolve) => {
      const dialog = dialogFor({ title, command, choices });
      const answer = (chosen?: number) => {
        question = undefined;
        unplace(dialog);
        form.hidden = false;
        resolve(chosen);
      };
      question = { dialog, answer };
      signal.addEventListener('abort', () => answer(), { once: true });
      form.hidden = true;
      place('permission', dialog, permissionPlace);
    }),
  clear: () => messages.replaceChildren(),
});

const spinner = (label: string) =>
  part('activity', 'div', { class: hashed('spinnerRow') }, element('span', { class: hashed('text') }, label));

function dialogFor({ title, command, choices }: Question): HTMLElement {
  const buttons = element('div', { class: hashed('buttonContainer') });
  for (const [index, label] of choices.entries()) {
    const number = element('span', { class: hashed('shortcutNum') }, String(index + 1));
    const button = part('choice', 'button', { class: hashed('button'), type: 'button' }, number, ` ${label}`);
    button.addEventListener('click', () => question?.answer(index));
    place('choice', button, buttons);
  }
  const dialog = part('permission', 'div', { class: hashed('permissionRequestContainer') });
  const isNamed = dialog.className.startsWith('permission');
  const inner = (name: string) => (isNamed ? { class: hashed(name) } : { class: 'v2-inner' });
  dialog.append(
    element('div', inner('permissionRequestHeader'), title),
    element('div', inner('permissionRequestContent'), element('pre', {}, command)),
    buttons,
    element('div', {
      class: hashed('rejectMessageInput'),
      role: 'textbox',
      contenteditable: 'plaintext-only',
    }),
  );
  if (!isNamed) buttons.className = 'v2-buttons';
  return dialog;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = (input.textContent ?? '').trim();
  if (text === '') return;
  reportToHost('sent', text);
  input.replaceChildren();
  agent.take(text, attached.take());
});
stop.addEventListener('click', () => agent.stop());
fresh.addEventListener('click', () => agent.renew());
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && question === undefined) agent.stop();
  if (key === 'Escape') question?.answer(2);
  if (/^[123]$/.test(key)) question?.answer(Number(key) - 1);
});
const list = { list: 'listbox', into: composer, className: hashed('menu') } as const;
createPicker(model, { ...list, names: MODELS });
createPicker(mode, {
  ...list,
  names: MODES,
  onChoose: (name) => composer.setAttribute('data-permission-mode', name),
});

place('new', fresh, header);
header.append(decoy('Delete session', { class: hashed('deleteSession') }));
composer.append(...attached.parts);
place('input', input, composer);
place('model', model, composer);
place('mode', mode, composer);
composer.append(decoy('Bypass permissions', { class: hashed('menuItem') }));
place('send', send, composer);
document.body.append(header, messages, spinnerPlace, permissionPlace, form);
