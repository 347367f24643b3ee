import { decoy, element, part, place, reportToHost, unplace } from './parts.ts';
import { createAgent } from './script.ts';

/**
 * Modelled on Gemini Code Assist: Angular elements, no permission dialogs, one button that sends or stops.
 */

const history = element('chat-history');
const composer = element('div', { class: 'chat-submit' });
const header = element('header');

const input = part('input', 'div', {
  class: 'chat-submit-input',
  contenteditable: 'plaintext-only',
  role: 'textbox',
  'aria-label': 'Ask Gemini',
});
const send = part('send', 'button', { class: 'submit-button', type: 'button', 'aria-label': 'Submit' }, '➤');
const stop = part('stop', 'button', { class: 'chat-stop-button', type: 'button', 'aria-label': 'Stop' }, '■');
const fresh = part('new', 'button', { type: 'button', 'aria-label': 'New chat' }, '+');

const agent = createAgent({
  user: (text) =>
    place(
      'user',
      part(
        'user',
        'chat-history-item',
        { class: 'user' },
        element('div', { class: 'history-item-text' }, text),
      ),
      history,
    ),
  assistant() {
    const words = element('div', { class: 'history-item-text system' });
    const shown = part('assistant', 'chat-history-item', { class: 'system' }, words);
    if (shown.className.startsWith('v2-')) words.className = 'v2-words';
    place('assistant', shown, history);
    return (chunk) => words.append(chunk);
  },
  activity(label) {
    unplace(stop);
    unplace(send);
    if (label === null) place('send', send, composer);
    else place('stop', stop, composer);
  },
  clear: () => history.replaceChildren(),
});

send.addEventListener('click', () => {
  const text = (input.textContent ?? '').trim();
  if (text === '') return;
  reportToHost('sent', text);
  input.replaceChildren();
  agent.take(text);
});
stop.addEventListener('click', () => agent.stop());
fresh.addEventListener('click', () => agent.renew());

place('new', fresh, header);
header.append(decoy('Clear history'));
place('input', input, composer);
composer.append(decoy('Insert into editor'));
place('send', send, composer);
document.body.append(header, history, composer);
