import { html } from '../html.ts';
import { defineCorner } from '../page.ts';

const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const strictCorner = defineCorner({
  slug: 'strict',
  name: 'The strictest policy',
  sentence:
    'A content security policy that allows next to nothing, with Trusted Types required and none allowed.',
  scripts: ['strict'],
  headers: { 'content-security-policy': STRICT_POLICY },
  body: () => html`<form class="panel stack" id="question">
      <label>Your question <textarea name="question" rows="3" required></textarea></label>
      <div class="row"><button class="primary" type="submit">Ask</button></div>
      <output></output>
    </form>`,
});
