import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const dialogsCorner = defineCorner({
  slug: 'dialogs',
  name: 'Dialogs',
  sentence:
    'The browser’s own alert, confirm and prompt, a question on leaving, a dialog element and a popover.',
  scripts: ['dialogs'],
  body: () => html`<div class="panel row">
      <button type="button" id="ask-alert">Alert</button>
      <button type="button" id="ask-confirm">Confirm</button>
      <button type="button" id="ask-prompt">Prompt</button>
      <label><input type="checkbox" id="ask-leaving"> Ask before leaving</label>
    </div>
    <div class="panel row">
      <button type="button" id="open-modal">Open a modal dialog</button>
      <button type="button" popovertarget="hints">Open a popover</button>
    </div>
    <p>Answer: <output id="answer">none yet</output></p>
    <dialog id="modal" aria-labelledby="modal-name">
      <form method="dialog" class="stack">
        <h2 id="modal-name">Remove the lamp from your list?</h2>
        <label>Why? <input name="why" autocomplete="off"></label>
        <div class="row">
          <button type="submit" value="keep">Keep it</button>
          <button class="danger" type="submit" value="remove">Remove</button>
        </div>
      </form>
    </dialog>
    <div id="hints" popover class="panel"><p>Popovers close by a click anywhere else.</p>
      <button type="button" popovertarget="hints" popovertargetaction="hide">Close</button></div>`,
});
