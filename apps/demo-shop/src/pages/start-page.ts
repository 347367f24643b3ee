import { CATEGORIES, type Category, products } from '../catalogue.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { productCard, productPicture } from '../product-card.ts';

const SHOWN_IN_HERO = ['storm-lantern', 'alder-chair', 'tall-vase'];

export const startPage: Page = {
  path: '/',
  content: () => ({ title: 'things for a quiet home', body: html`${hero()}${CATEGORIES.map(aisle)}` }),
};

function hero(): Html {
  return html`<section class="hero">
    <div>
      <h1>Things for a quiet home</h1>
      <p>Lamps, chairs and cups that last, from small workshops. Sent in plain paper within two days.</p>
      <p class="row">
        <a class="button primary" href="/search">See everything</a>
        <a class="button" href="/corners">Awkward corners</a>
      </p>
    </div>
    <div class="trio" aria-hidden="true">
      ${products.filter((product) => SHOWN_IN_HERO.includes(product.id)).map(productPicture)}
    </div>
  </section>`;
}

function aisle(category: Category): Html {
  const id = `aisle-${category.toLowerCase()}`;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${category}</h2>
    <ul class="grid">${products.filter((product) => product.category === category).map(productCard)}</ul>
  </section>`;
}
