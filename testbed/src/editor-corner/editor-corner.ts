import { html } from '@drawbridge/demo-shop/html';
import { defineCorner } from '@drawbridge/demo-shop/page';

export const editorCorner = defineCorner({
  slug: 'editor',
  name: 'Rich-text editors',
  sentence:
    'Text that lives in no form field: a bare contenteditable, and a ProseMirror, a Lexical and a CodeMirror that keep their own documents.',
  scripts: ['editor'],
  body: () => html`<section class="panel" aria-labelledby="plain-name">
      <h2 id="plain-name">Card to go with the gift</h2>
      <div class="writing" id="plain" contenteditable="true" role="textbox" aria-multiline="true" aria-labelledby="plain-name"></div>
      <p class="note">Reads: <output id="plain-text"></output></p>
    </section>
    <section class="panel" aria-labelledby="rich-name">
      <h2 id="rich-name">Review</h2>
      <div class="rich" id="rich"></div>
      <div class="row"><button class="primary" type="button" id="save-review">Save review</button></div>
      <p class="note">The document holds: <output id="rich-text"></output></p>
    </section>
    <section class="panel" aria-labelledby="note-name">
      <h2 id="note-name">Note to the driver</h2>
      <div class="writing" id="note" contenteditable="true" role="textbox" aria-multiline="true" aria-labelledby="note-name"></div>
      <p class="note">The document holds: <output id="note-text"></output></p>
    </section>
    <section class="panel" aria-labelledby="recipe-name">
      <h2 id="recipe-name">Light recipe</h2>
      <div class="writing" id="recipe"></div>
      <p class="note">The document holds: <output id="recipe-text"></output></p>
    </section>`,
});
