import { html } from '../html.ts';
import { defineCorner } from '../page.ts';
import { STOCK_ROW_COUNT } from '../stock-rows.ts';

export const rowsCorner = defineCorner({
  slug: 'rows',
  name: 'Ten thousand rows',
  sentence: 'A list of 10,000 rows made of a few dozen nodes; scrolling gives the same node another row.',
  scripts: ['rows'],
  body: () => html`<form class="row" id="jump">
      <label>Go to row <input class="quantity" name="row" type="number" min="1" max="${STOCK_ROW_COUNT}" value="1" required></label>
      <button type="submit">Go</button>
      <output id="reserved" aria-live="polite">Nothing reserved.</output>
    </form>
    <div class="rows" id="rows" tabindex="0" role="region" aria-label="Stock"><div class="rows-inside" role="list"></div></div>`,
});
