import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { createAttachedFiles } from './attached-files.ts';
import { decoy, element, MODELS, MODES, part, place, reportToHost, svg, unplace } from './parts.ts';
import { createPicker } from './picker.ts';
import { createAgent } from './script.ts';

/** Modelled on the Codex panel: ProseMirror, turns and units with keys, a send button without a name. */

const conversation = element('main', { 'data-thread-find-target': 'conversation' });
const activityPlace = element('div');
const approvalPlace = element('div');
const editorPlace = element('div');
const actions = element('div', { class: 'flex items-center' });
const composer = element('div', { class: 'composer-surface' }, editorPlace, actions);
const header = element('header');

const emptyState = () => EditorState.create({ schema });
const shell = part('input', 'div', { class: 'ProseMirror-shell' });
const isRenamed = (made: Element): boolean => made.className.startsWith('v2-');

/** A later version uses another editor. */
function createEditor() {
  if (isRenamed(shell)) {
    shell.setAttribute('contenteditable', 'plaintext-only');
    return { text: () => shell.textContent ?? '', clear: () => shell.replaceChildren() };
  }
  const view = new EditorView({ mount: shell }, { state: emptyState() });
  return {
    text() {
      const { doc } = view.state;
      return doc.textBetween(0, doc.content.size, '\n');
    },
    clear: () => view.updateState(emptyState()),
  };
}
const editor = createEditor();

const attached = createAttachedFiles(shell);
const send = part('send', 'button', { type: 'button', class: 'rounded-full' });
send.append(svg('path', { d: isRenamed(send) ? 'M1 1L8 8' : 'M9.334 4.5V14L4 9.334' }));
const stop = part('stop', 'button', { type: 'button', class: 'rounded-full', 'aria-label': 'Stop' });
stop.append(svg('rect', { x: '3', y: '3', width: '10', height: '10' }));
const model = part('model', 'button', { type: 'button', 'aria-haspopup': 'menu' });
const access = part('mode', 'button', {
  type: 'button',
  'aria-haspopup': 'menu',
  'aria-label': 'Change permissions',
});
const fresh = part('new', 'button', { type: 'button', 'aria-label': 'New chat' }, '+');

let turns = 0;
let units = 0;
let turn = element('div');
const unit = (role: 'user' | 'assistant', ...children: (Node | string)[]) => {
  const made = part(
    role,
    'div',
    { 'data-content-search-unit-key': `turn${turns}:${units}:${role}` },
    ...children,
  );
  units += 1;
  place(role, made, turn);
};

let answerOpen: ((chosen?: number) => void) | undefined;

const agent = createAgent({
  user(text) {
    turns += 1;
    units = 0;
    turn = element('div', { 'data-content-search-turn-key': `turn${turns}` });
    conversation.append(turn);
    unit('user', element('div', { class: 'whitespace-pre-wrap' }, text));
  },
  assistant() {
    const words = element('p');
    unit('assistant', element('div', { class: 'markdown' }, words));
    return (chunk) => words.append(chunk);
  },
  activity(label) {
    activityPlace.replaceChildren();
    unplace(stop);
    unplace(send);
    if (label === null) {
      place('send', send, actions);
      return;
    }
    place('activity', part('activity', 'span', { class: 'loading-shimmer-pure-text' }, label), activityPlace);
    place('stop', stop, actions);
  },
  ask: ({ title, command, choices }, signal) =>
    new Promise((resolve) => {
      const dialog = part('permission', 'div', { role: 'group', 'data-approval': 'exec' });
      dialog.append(element('p', {}, title), element('code', {}, command));
      for (const [index, label] of choices.entries()) {
        const button = part(
          'choice',
          'button',
          { type: 'button' },
          element('kbd', {}, String(index + 1)),
          ` ${label}`,
        );
        button.addEventListener('click', () => answerOpen?.(index));
        place('choice', button, dialog);
      }
      answerOpen = (chosen) => {
        answerOpen = undefined;
        unplace(dialog);
        composer.hidden = false;
        resolve(chosen);
      };
      signal.addEventListener('abort', () => answerOpen?.(), { once: true });
      composer.hidden = true;
      place('permission', dialog, approvalPlace);
    }),
  clear: () => conversation.replaceChildren(),
});

send.addEventListener('click', () => {
  const text = editor.text().trim();
  if (text === '') return;
  reportToHost('sent', text);
  editor.clear();
  agent.take(text, attached.take());
});
stop.addEventListener('click', () => agent.stop());
fresh.addEventListener('click', () => agent.renew());
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') answerOpen?.(2);
  if (/^[123]$/.test(key)) answerOpen?.(Number(key) - 1);
});
createPicker(model, { names: MODELS, list: 'menu', into: document.body });
createPicker(access, { names: MODES, list: 'menu', into: document.body });

place('new', fresh, header);
header.append(decoy('Archive chat'));
composer.prepend(...attached.parts);
place('input', shell, editorPlace);
actions.append(decoy('Add files'), decoy('Full access'));
place('mode', access, actions);
place('model', model, actions);
place('send', send, actions);
document.body.append(header, conversation, activityPlace, approvalPlace, composer);
