import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const listenersCorner = defineCorner({
  slug: 'listeners',
  name: 'Things that only listen',
  sentence: 'They react to a click, and nothing in their HTML says so: no button, no link, no role.',
  scripts: ['listeners'],
  body: () => html`<div class="panel listeners">
      <div id="own-listener">A div with a listener of its own</div>
      <ul id="delegated"><li>One of a list</li><li>whose parent</li><li>does the listening</li></ul>
      <span id="pointer" class="clickable">A span with a pointing hand</span>
      <div id="react-listener"></div>
      <div id="focusable" tabindex="0">A div that takes the keyboard</div>
      <div id="no-listener" class="clickable">A pointing hand and nothing behind it</div>
    </div>
    <p>Pressed: <output id="pressed">nothing</output></p>`,
});
