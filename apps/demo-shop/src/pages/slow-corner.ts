import { setTimeout as delay } from 'node:timers/promises';
import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

const LONGEST_DELAY_MS = 30_000;

export const slowCorner = defineCorner({
  slug: 'slow',
  name: 'Slow and late',
  sentence:
    'The answer takes its time (?ms=1500), more arrives afterwards (?late=800), and a clock never rests.',
  scripts: ['slow'],
  async body({ url }) {
    await delay(delayOf(url, 'ms', 0));
    return html`<div class="panel stack" id="late" data-late-ms="${delayOf(url, 'late', 800)}" aria-busy="true">
        <p class="note">Looking in the stock room…</p>
      </div>
      <div class="panel row">
        <button type="button" id="restless">Start the restless counter</button>
        <output id="ticks" aria-live="off">0</output>
      </div>
      <p class="row"><a class="button" href="/corners/slow?ms=1500">Again, 1.5 seconds late</a></p>`;
  },
});

export async function lateStock(url: URL): Promise<{ pieces: number }> {
  await delay(delayOf(url, 'ms', 0));
  return { pieces: 3 };
}

function delayOf(url: URL, name: string, otherwise: number): number {
  const asked = Number(url.searchParams.get(name) ?? otherwise);
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), LONGEST_DELAY_MS) : otherwise;
}
