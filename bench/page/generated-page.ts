import { createSeededRandom, type SeededRandom } from '@drawbridge/testbed';

const SEED = 20_000;
const WORDS =
  'account answer basket border bridge button camera castle copper corner delivery draft engine evening field filter garden harbour invoice journey kitchen lantern market message morning number office order paper pencil picture platform question record river saddle season signal station summer ticket timber travel value window winter'.split(
    ' ',
  );

/**
 * A long page of the usual parts, with about this many elements: navigation, cards, a table, forms, and
 * things that only listen. A seed repeats it exactly.
 */
export function generatedPage(elements: number): string {
  const random = createSeededRandom(SEED);
  const parts = [navigation(random)];
  for (let made = 90, section = 0; made < elements; section++) {
    const [make, size] = SECTIONS[section % SECTIONS.length] ?? [cards, 1];
    parts.push(make(random));
    made += size;
  }
  return `<!doctype html><html lang="en"><title>Generated page</title><style>${STYLE}</style><body>
${parts.join('\n')}
<script>${SCRIPT}</script></body></html>`;
}

type Part = (random: SeededRandom) => string;

function navigation(random: SeededRandom): string {
  return `<header><a class="logo" href="/">Home</a><nav><ul>${times(12, () => `<li><a href="/${word(random)}">${title(random)}</a></li>`)}</ul></nav>
<form role="search" class="search"><input type="search" name="q" aria-label="Search"><button>Search</button></form>
<button aria-expanded="false" aria-label="Menu"><svg width="16" height="16"><path d="M0 4h16M0 8h16M0 12h16"></path></svg></button></header>`;
}

function cards(random: SeededRandom): string {
  const card =
    () => `<article class="card"><div class="picture"></div><h3><a href="/item/${random.int(1, 9999)}">${title(random)}</a></h3>
<p>${sentence(random)}</p><span class="price">${random.int(1, 99)}.${random.int(10, 99)}</span>
<div class="row"><button class="add">Add to basket</button><div class="heart" data-listens>♥</div></div></article>`;
  return `<section><h2>${title(random)}</h2><div class="cards">${times(8, card)}</div></section>`;
}

function table(random: SeededRandom): string {
  const row =
    () => `<tr><td><input type="checkbox" aria-label="Select ${word(random)}"></td><td><a href="/order/${random.int(1, 9999)}">${random.int(10_000, 99_999)}</a></td>
<td>${title(random)}</td><td>${random.int(1, 400)}</td><td><span class="badge">${word(random)}</span></td><td><button>Edit</button><button aria-label="Delete">×</button></td></tr>`;
  return `<section><h2>${title(random)}</h2><table><thead><tr>${times(6, () => `<th>${word(random)}</th>`)}</tr></thead><tbody>${times(24, row)}</tbody></table></section>`;
}

function form(random: SeededRandom): string {
  const field = () => {
    const id = `f${random.int(0, 1e9)}`;
    const input = random.pick([
      `<input id="${id}" type="text" value="${word(random)}">`,
      `<input id="${id}" type="email" placeholder="you@example.org">`,
      `<select id="${id}">${times(4, () => `<option>${word(random)}</option>`)}</select>`,
      `<textarea id="${id}"></textarea>`,
    ]);
    return `<div class="field"><label for="${id}">${title(random)}</label>${input}<small>${sentence(random)}</small></div>`;
  };
  return `<section><h2>${title(random)}</h2><form>${times(10, field)}<label><input type="checkbox"> ${sentence(random)}</label><button type="submit">Save</button></form></section>`;
}

function article(random: SeededRandom): string {
  const paragraph = () =>
    `<p>${sentence(random)} <a href="/${word(random)}">${title(random)}</a> ${sentence(random)} <em>${word(random)}</em> ${sentence(random)}</p>`;
  return `<section><h2>${title(random)}</h2>${times(12, paragraph)}<details><summary>${title(random)}</summary><p>${sentence(random)}</p></details></section>`;
}

/** Each part with the number of its elements. */
const SECTIONS: readonly (readonly [Part, number])[] = [
  [cards, 75],
  [table, 275],
  [form, 65],
  [article, 42],
];

const STYLE = `body{font:14px/1.4 sans-serif;margin:0}header{position:sticky;top:0;display:flex;gap:12px;padding:8px;background:#fff;border-bottom:1px solid}
nav ul{display:flex;gap:10px;list-style:none;margin:0;padding:0}section{padding:12px 24px}.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:12px}
.card{border:1px solid #ccc;padding:8px}.picture{height:40px;background:#ddd}.heart{cursor:pointer;width:20px}.row{display:flex;gap:8px}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #ddd;padding:4px}.field{display:grid;grid-template-columns:200px 300px 1fr;margin:4px 0}`;

const SCRIPT = `for (const part of document.querySelectorAll('[data-listens]'))
  part.addEventListener('click', () => part.classList.toggle('on'));
document.addEventListener('click', (event) => {
  if (event.target.matches('.add')) event.target.textContent = 'In the basket';
  const menu = event.target.closest('[aria-expanded]');
  if (menu) menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') === 'false'));
});
document.addEventListener('submit', (event) => event.preventDefault());`;

function times(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join('');
}

function word(random: SeededRandom): string {
  return random.pick(WORDS);
}

function title(random: SeededRandom): string {
  const text = Array.from({ length: random.int(1, 3) }, () => word(random)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(random: SeededRandom): string {
  return `${title(random)} ${Array.from({ length: random.int(5, 12) }, () => word(random)).join(' ')}.`;
}
