import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const uploadCorner = defineCorner({
  slug: 'upload',
  name: 'File upload',
  sentence: 'A plain file field, a button with the field hidden behind it, and a place to drop files on.',
  scripts: ['upload'],
  body: () => html`<form class="panel stack" id="upload">
      <label>Photo of the damage <input type="file" name="file" accept="image/*,.txt,.pdf"></label>
      <input class="unseen" type="file" id="hidden-file" multiple tabindex="-1" aria-hidden="true">
      <div class="row"><button type="button" id="choose">Choose more files…</button></div>
      <div class="drop" id="drop">Drop files here</div>
    </form>
    <h2>Received</h2>
    <ul id="received" aria-live="polite"></ul>`,
});
