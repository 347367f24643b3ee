import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

export const canvasCorner = defineCorner({
  slug: 'canvas',
  name: 'Canvas',
  sentence: 'A picture with no elements in it: a click draws a dot, and only the coordinates say where.',
  scripts: ['canvas'],
  body: () => html`<div class="panel">
      <p id="canvas-help">Place a lamp on the floor plan: click, or move with the arrow keys and press Enter.</p>
      <canvas id="plan" width="640" height="360" tabindex="0" role="application" aria-label="Floor plan" aria-describedby="canvas-help"></canvas>
      <div class="row"><button type="button" id="clear">Clear</button>
        <p>Lamps at: <output id="points">none</output></p></div>
    </div>`,
});
