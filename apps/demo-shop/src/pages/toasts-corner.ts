import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const toastsCorner = defineCorner({
  slug: 'toasts',
  name: 'Toasts that vanish',
  sentence: 'Messages come and go: look two seconds late, or half a second late, and they never were.',
  scripts: ['toasts'],
  body: () => html`<div class="panel row">
      <button type="button" data-toast="Saved to your list." data-ms="2000">Two seconds</button>
      <button type="button" data-toast="Copied." data-ms="400">0.4 seconds</button>
      <button type="button" data-toast="Could not save: the list is full." data-ms="2000" data-kind="failed">An error</button>
      <button type="button" data-toast="Gespeichert. Die Lampe liegt im Warenkorb." data-ms="2000" data-lang="de">In German</button>
    </div>
    <p class="note">A plain one without any live region, as many sites do it:</p>
    <div class="panel row"><button type="button" id="quiet-toast">A silent toast</button><span id="silent-place"></span></div>`,
});
