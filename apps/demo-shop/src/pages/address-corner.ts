import { type Html, html } from '../html.ts';
import { type Corner, cornerBody, defineCorner, type PageContent } from '../page.ts';

/** Meanings of the fields; the form below hides them in ten different ways. */
const ADDRESS_FIELDS = [
  ['first', 'First name'],
  ['last', 'Last name'],
  ['company', 'Company'],
  ['street', 'Street and number'],
  ['postcode', 'Postcode'],
  ['city', 'Town'],
  ['phone', 'Phone'],
  ['floor', 'Floor'],
  ['ring', 'Ring at'],
  ['hint', 'Note for the courier'],
  ['parcel', 'Leave with a neighbour'],
  ['slot', 'Time of day'],
] as const;

type AddressField = (typeof ADDRESS_FIELDS)[number][0];
type AddressReader = (field: AddressField) => string;
type AddressProblems = Partial<Record<AddressField, string>>;

const REQUIRED = ['first', 'last', 'street', 'postcode', 'city'] as const;

export const addressCorner: Corner = defineCorner({
  slug: 'address',
  name: 'Badly labelled address',
  sentence: 'Every field has a meaning a person can see, and hardly one says it the proper way.',
  body: () => addressForm(() => '', {}),
});

export function addressAnswer(read: AddressReader): PageContent {
  const problems = addressProblems(read);
  const failed = Object.keys(problems).length > 0;
  return {
    title: failed ? 'Error: address' : 'Address saved',
    status: failed ? 422 : 200,
    body: cornerBody(addressCorner, failed ? addressForm(read, problems) : savedAddress(read)),
  };
}

function addressProblems(read: AddressReader): AddressProblems {
  const problems: AddressProblems = {};
  for (const field of REQUIRED) if (read(field).trim() === '') problems[field] = 'This is missing.';
  if (!/^([+\d][\d /-]{5,})?$/.test(read('phone').trim()))
    problems.phone = 'A phone number is made of digits.';
  return problems;
}

function addressForm(read: AddressReader, problems: AddressProblems): Html {
  const problem = (field: AddressField) =>
    problems[field] !== undefined && html`<span class="problem">${problems[field]}</span>`;
  return html`<form class="panel bad-form" method="post" action="/corners/address" novalidate>
    ${Object.keys(problems).length > 0 && html`<p class="alert" role="alert">Some fields need a second look.</p>`}
    <label>First name <input name="first" value="${read('first')}">${problem('first')}</label>
    <label class="wrapper"><span><span>Last</span> <span>name</span></span>
      <div><input name="last" value="${read('last')}">${problem('last')}</div></label>
    <div><b id="words-a">Company</b> <i id="words-b">(if any)</i>
      <input name="company" aria-labelledby="words-a words-b words-gone" value="${read('company')}"></div>
    <div><input name="street" placeholder="Street and number" value="${read('street')}">${problem('street')}</div>
    <table role="presentation">
      <tr><td>Postcode</td><td><input name="postcode" value="${read('postcode')}">${problem('postcode')}</td></tr>
      <tr><td>Town</td><td><input name="city" value="${read('city')}">${problem('city')}</td></tr>
    </table>
    <div class="before">Phone</div>
    <div><input name="phone" type="tel" value="${read('phone')}">${problem('phone')}</div>
    <div><label for="no-such-field">Floor</label> <input id="floor" name="floor" value="${read('floor')}"></div>
    <div class="after"><input id="ring" name="ring" value="${read('ring')}"><label for="ring">Ring at</label></div>
    <div><textarea name="hint" title="Note for the courier" rows="2">${read('hint')}</textarea></div>
    <div><input type="checkbox" name="parcel" value="yes"${read('parcel') === 'yes' && ' checked'}> Leave with a neighbour</div>
    <div class="slots">Time of day
      ${['morning', 'evening'].map(
        (slot) =>
          html`<span><input type="radio" name="slot" value="${slot}"${read('slot') === slot && ' checked'}> ${slot}</span>`,
      )}
    </div>
    <button class="primary" type="submit">Save address</button>
  </form>`;
}

function savedAddress(read: AddressReader): Html {
  return html`<p class="done" role="status">Address saved.</p>
    <dl class="facts" data-testid="saved-address">
      ${ADDRESS_FIELDS.map(([field, name]) => html`<dt>${name}</dt><dd data-field="${field}">${read(field) || 'not given'}</dd>`)}
    </dl>
    <p><a class="button" href="/corners/address">Another address</a></p>`;
}
