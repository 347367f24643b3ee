import { looksLikeEmail } from '../delivery.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageContent } from '../page.ts';

export const DEMO_EMAIL = 'demo@example.com';
export const DEMO_PASSWORD = 'lantern-42';
export const DEMO_CODE = '246810';

type LoginProblems = { email?: string; password?: string; code?: string };

export const loginPage: Page = { path: '/login', content: () => loginContent('', {}) };

export function loginProblems(email: string, password: string): LoginProblems {
  const problems: LoginProblems = {};
  if (!looksLikeEmail(email)) problems.email = 'Enter an email address, like name@example.com.';
  if (password === '') problems.password = 'Enter your password.';
  else if (email !== DEMO_EMAIL || password !== DEMO_PASSWORD)
    problems.password = 'That email and password do not belong together.';
  return problems;
}

export function codeProblems(code: string): LoginProblems {
  return code === DEMO_CODE ? {} : { code: 'That code is wrong or too old. Ask for a new one.' };
}

export function loginContent(email: string, problems: LoginProblems): PageContent {
  const failed = Object.keys(problems).length > 0;
  return {
    title: failed ? 'Error: log in' : 'Log in',
    status: failed ? 422 : 200,
    scripts: ['login'],
    body: html`<h1>Log in</h1>
      <div class="pair">
        ${passwordForm(email, problems)}
        ${codeForm(problems)}
      </div>`,
  };
}

function passwordForm(email: string, problems: LoginProblems): Html {
  return html`<form class="panel stack" method="post" action="/login" novalidate>
    <h2>With a password</h2>
    <p class="note">The demo account is <code>${DEMO_EMAIL}</code> with <code>${DEMO_PASSWORD}</code>.</p>
    <div class="field">
      <label for="email">Email</label>
      <input id="email" name="email" type="email" autocomplete="username" value="${email}" ${wrong('email', problems.email)}>
      ${problem('email', problems.email)}
    </div>
    <div class="field">
      <label for="password">Password</label>
      <div class="joined">
        <input id="password" name="password" type="password" autocomplete="current-password" ${wrong('password', problems.password)}>
        <button type="button" id="reveal" aria-pressed="false" aria-controls="password">Show</button>
      </div>
      ${problem('password', problems.password)}
    </div>
    <button class="primary" type="submit" data-testid="log-in">Log in</button>
  </form>`;
}

function codeForm(problems: LoginProblems): Html {
  return html`<form class="panel stack" method="post" action="/login/code" novalidate>
    <h2>With a code</h2>
    <p class="note">As if it came by text message: <code>${DEMO_CODE}</code>.</p>
    <div class="field">
      <label for="code">Six-digit code</label>
      <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" ${wrong('code', problems.code)}>
      ${problem('code', problems.code)}
    </div>
    <button type="submit">Use the code</button>
  </form>`;
}

function wrong(field: string, message: string | undefined): Html | false {
  return message !== undefined && html`aria-invalid="true" aria-describedby="${field}-problem"`;
}

function problem(field: string, message: string | undefined): Html | false {
  return message !== undefined && html`<p class="problem" id="${field}-problem">${message}</p>`;
}
