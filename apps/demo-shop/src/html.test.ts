import { expect, test } from 'vitest';
import { html } from './html.ts';

test('values are escaped, parts are not', () => {
  const part = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${'"&\''}">${part}${['a', 1]}${false}${undefined}</p>`.html).toBe(
    '<p title="&quot;&amp;&#39;"><b>&lt;i&gt;</b>a1</p>',
  );
});
