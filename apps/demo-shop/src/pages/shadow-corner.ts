import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const shadowCorner = defineCorner({
  slug: 'shadow',
  name: 'Shadow trees',
  sentence: 'Forms in shadow trees: open, closed, one inside another, and one declared in the HTML itself.',
  scripts: ['shadow'],
  body: () => html`<div class="pair">
      <section class="panel"><h2>Open</h2><price-alert mode="open"><span slot="what">Dusk table lamp</span></price-alert></section>
      <section class="panel"><h2>Closed</h2><price-alert mode="closed"><span slot="what">Storm lantern</span></price-alert></section>
      <section class="panel"><h2>Nested</h2><alert-board></alert-board></section>
      <section class="panel"><h2>Declared in HTML</h2>
        <div id="declared"><template shadowrootmode="open">
          <link rel="stylesheet" href="/shop.css">
          <button type="button">Remind me in spring</button>
        </template></div></section>
    </div>
    <p>Alerts set: <output id="alerts">none</output></p>`,
});
