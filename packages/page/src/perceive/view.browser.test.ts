import { tokensOf } from '@drawbridge/testbed/tokens';
import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage } from '../../test/page-harness.ts';

const shared = sharedPage();

/** One line of HTML, and the lines of its view. */
const cases = (rows: readonly (readonly [html: string, ...lines: string[]])[]) =>
  test('shows each page as it is', async () => {
    const seen: (readonly string[])[] = [];
    for (const [html] of rows) seen.push([html, ...(await (await shared.show(html)).view()).split('\n')]);
    expect(seen).toEqual(rows);
  });

describe('[INT-292] texts', () => {
  cases([
    ['<div>0</div><button>+</button>', '> 0', '1 btn +'],
    ['<p>-1</p><p>x</p><p>-1</p>', '> -1', '> x', '> -1'],
    ['<p>Name</p><label>Name <input></label>', '> Name', '1 inp Name'],
    [
      '<table><tr><th>Item<th>Price<th></tr><tr><td>Lamp<td>9<td><button>Edit</button></tr><tr><td>Lamp<td><td>3</table>',
      '> Item | Price',
      '> Lamp | 9',
      '1 btn Edit',
      '> Lamp | | 3',
    ],
    [
      '<table><tr><th rowspan=2>Student<td colspan=2>Zone A<td>5<tr><td>1<td>2<td>6</table>',
      ...['> Student | Zone A | | 5', '> Student | 1 | 2 | 6'],
    ],
    [
      '<style>.r{display:flex}</style><div class=r><div>Ann</div><div>Oslo</div><div>part-time</div><button>Apply</button></div><div class=r><div>Bo</div><div>Bath</div><div>full-time</div><button>Apply</button></div>',
      ...['> Ann | Oslo | part-time', '1 btn Apply', '> Bo | Bath | full-time', '2 btn Apply'],
    ],
    [
      '<div style="display:grid;grid-template-columns:9em 9em 9em"><b>Name</b><b>Town</b><b>Pay</b><i>Ann</i><i>Oslo</i><i>9</i></div>',
      ...['> Name | Town | Pay', '> Ann | Oslo | 9'],
    ],
    ['<p>See the <a href=#>docs</a> for more.</p>', '> See the', '1 link docs', '> for more.'],
    ['<div style="white-space:pre-wrap">One.\n\nTwo\n Three</div>', '> One.', '> Two', '>  Three'],
    ['<pre>Am  C |\n  G</pre>', '> Am  C |', '>   G'],
    [
      '<style>i{display:inline-block;width:9px;height:9px;background:#0a0}u{background:#333!important}</style><div><i></i>free<i style="background:#a00"></i>taken</div>',
      '> (#00aa00) free (#aa0000) taken',
    ],
    [`<p>${'word '.repeat(60)}end.</p>`, `> ${'word '.repeat(60)}end.`],
    ['<svg width=90 height=90><text y=20>9</text><text y=50>0</text></svg>', '> 9 | 0'],
    ['<div><span>Lucio</span> <span>@lucio</span></div>', '> Lucio @lucio'],
    ['<details><summary>More</summary>Hidden</details>', '1 btn More [collapsed]'],
    ['<progress value=30 max=100></progress><img alt=Map src=#>', '> progress 30/100 ![Map]'],
    ['<div role=dialog aria-label=Sure><p>Delete?</p></div>', '-- dialog Sure', '> Delete?'],
    ['<h2><a href=#>Lamps</a></h2><h3>Small</h3>', '1 link Lamps', '# Small'],
    ['<p>Behind <b>bold</b> words<br>and a break</p>', '> Behind bold words', '> and a break'],
  ]);

  test('shows all of a short page, and of a long one what is in view', async () => {
    const page = await shared.show('<div style="height:3000px">Terms</div><button>Agree</button>');
    expect(await page.view()).toBe('> Terms\n1 btn Agree');
    const rows = Array.from({ length: 200 }, (_, n) => `<p>Row ${n} <button>Open</button></p>`);
    const long = await shared.show(rows.join(''));
    const { page: seen, beyond } = await long.snapshot({ form: 'view' });
    expect(seen.interactive_tree.length + (beyond ?? 0)).toBe(200);
    expect((await long.view()).split('\n').at(-1)).toMatch(/^\d+ btn Open$|^> Row \d+$/);
    const prose = await shared.show(
      Array.from({ length: 200 }, (_, n) => `<p>Paragraph ${n}, in words.</p>`).join(''),
    );
    expect(await prose.snapshot({ form: 'view' })).toMatchObject({ beyond: 0 });
  });
});

describe('[INT-292] traps', () => {
  const OFF = 'position:absolute;left:-4000px';
  cases([
    [
      `<label style="${OFF}">Website <input></label><button style="${OFF}">Sign up</button><button>Go</button>`,
      '1 btn Go',
    ],
    [
      '<div style="max-height:0;overflow:hidden"><p>Folded</p><button>Sign up</button></div><button>Go</button>',
      '1 btn Go',
    ],
    [
      '<div style="position:fixed;right:-400px;width:300px"><button>Sign up</button></div><button>Go</button>',
      '1 btn Go',
    ],
    ['<div style="opacity:0"><button>Sign up</button></div><button>Go</button>', '1 btn Go'],
    [`<label>Wood <input type=checkbox style="${OFF}"></label>`, '1 chk Wood'],
    [`<input type=file aria-label=Picture style="${OFF}">`, '1 file Picture'],
  ]);

  test('keeps what a box or the page can scroll to', async () => {
    const page = await shared.show(
      '<div id=box style="height:40px;overflow:auto"><button>First</button><div style="height:900px"></div></div><div style="height:3000px"></div><button>Last</button>',
    );
    await page.run(() => {
      document.querySelector('#box')?.scrollTo(0, 500);
      window.scrollTo(0, 2_000);
    });
    expect(await page.view()).toMatch(/btn First\n(?:.*\n)*.*btn Last/);
  });
});

describe('[INT-293] fields', () => {
  cases([
    ['<input aria-label=A value="  two  ">', '1 inp A ="  two  "'],
    ['<textarea aria-label=A>a\n\nb </textarea>', '1 textarea A ="a\\n\\nb "'],
    [`<input aria-label=A value="${'long '.repeat(40)}">`, `1 inp A ="${'long '.repeat(40)}"`],
    ['<input placeholder=Search value=Search>', '1 inp Search ="Search"'],
    ['<input type=range aria-label=A min=0 max=10 value=2>', '1 slider A ="2" 0–10'],
    [
      '<div role=slider tabindex=0 aria-label=A aria-valuemin=1 aria-valuemax=5 aria-valuenow=3 style="height:9px"></div>',
      '1 slider A ="3" 1–5',
    ],
    ['<input type=date aria-label=A value=2026-01-31>', '1 date A ="2026-01-31"'],
    ['<input type=number aria-label=A value=3 max=9>', '1 number A ="3" –9'],
    ['<input type=file aria-label=A>', '1 file A'],
    ['<select aria-label=A><option>x<option selected>y</select>', '1 sel A ="y"'],
    ['<input list=l aria-label=A><datalist id=l></datalist>', '1 combo A'],
    [
      '<div role=combobox tabindex=0 aria-label=A aria-expanded=false>Medium</div>',
      '1 combo A ="Medium" [collapsed]',
    ],
    ['<div contenteditable aria-label=A>Rich <b>text</b></div>', '1 editor A ="Rich text"'],
    ['<input type=password aria-label=A value=hunter2>', '1 inp A [filled]'],
    [
      '<input required readonly disabled aria-invalid=true aria-label=A>',
      '1 inp A [disabled,invalid,readonly,required]',
    ],
    ['<button aria-pressed=true>B</button>', '1 btn B [pressed]'],
    ['<button aria-expanded=true>B</button>', '1 btn B [expanded]'],
    ['<div role=tab tabindex=0 aria-selected=true>T</div>', '1 tab T [selected]'],
    ['<a href=# aria-current=page>Home</a>', '1 link Home [current]'],
    ['<button aria-label=Cart>3</button>', '1 btn Cart ="3"'],
    ['<button class="chip active">All</button>', '1 btn All [~active]'],
    [
      '<style>.q{background:navy}</style><button class="d q">Mo</button><button class=d>Tu</button><button class="d z">We</button>',
      '1 btn Mo [~marked]',
      '2 btn Tu',
      '3 btn We',
    ],
    [
      '<style>.a{background:navy}</style><nav><button class=a>Mo</button><button>Tu</button><button>We</button></nav>',
      ...['1 btn Mo [~marked]', '2 btn Tu', '3 btn We'],
    ],
    [
      '<style>.a{background:navy}</style><nav><button class=a>Mo</button><button class=a>Tu</button><button>We</button><button>Th</button><button>Fr</button></nav>',
      ...['1 btn Mo [~marked]', '2 btn Tu [~marked]', '3 btn We', '4 btn Th', '5 btn Fr'],
    ],
    [
      '<nav><button class=a>Mo</button><button>Tu</button><button>We</button></nav>',
      ...['1 btn Mo', '2 btn Tu', '3 btn We'],
    ],
    [
      '<style>.a{font-weight:900}</style><div onclick=1 class="m a">Mo</div><div onclick=1 class=m>Tu</div><div onclick=1 class=m>We</div>',
      ...['1 btn Mo [~bold]', '2 btn Tu', '3 btn We'],
    ],
    [
      '<style>.a::after,.b::after{content:"x"}.b::after{color:red;position:absolute;top:9px}</style><div onclick=1 class=a>Mo</div><div onclick=1 class="a b">Tu</div><div onclick=1 class=a>We</div>',
      ...['1 btn Mo', '2 btn Tu [~marked]', '3 btn We'],
    ],
    [
      '<style>td button{background:#eee}td .end{background:navy}</style><table><tr><td><button>1</button><td><button class=end>2</button><td><button>3</button></table>',
      ...['1 btn 1', '2 btn 2 [~end]', '3 btn 3'],
    ],
    [
      '<style>.f{background:green}.t{background:gray}</style><span onclick=1 class="s f">1</span><span onclick=1 class="s t">2</span><span onclick=1 class="s f">3</span>',
      ...['1 btn 1 [~#008000]', '2 btn 2 [~#808080]', '3 btn 3 [~#008000]'],
    ],
    ['<button style="pointer-events:none">Book</button>', '1 btn Book [~disabled]'],
    ['<button style="cursor:not-allowed">Book</button>', '1 btn Book [~disabled]'],
  ]);
});

const ICON = '<svg width=16 height=16><path d="M0 0h9v9z"/></svg>';
const FIXED = 'position:absolute;left:20px;top:20px;width:20px;height:20px;margin:0';

describe('[INT-294] names', () => {
  cases([
    ['<button><svg width=9 height=9><use href="#icon-trash"/></svg></button>', '1 btn ~trash'],
    ['<button><svg width=9 height=9><use href="#ic-archive"/></svg></button>', '1 btn ~archive'],
    ['<button><i class="fa fa-magnifying-glass"></i></button>', '1 btn ~magnifying glass'],
    ['<button><svg data-icon=paper-plane width=9 height=9></svg></button>', '1 btn ~paper plane'],
    ['<button><svg class="lucide lucide-send" width=9 height=9></svg></button>', '1 btn ~send'],
    ['<button><img src="/img/reply_24.png" width=9 height=9></button>', '1 btn ~reply'],
    ['<button style="background:url(/i/settings.svg)"></button>', '1 btn ~settings'],
    ['<button><svg width=9 height=9><use href="#i-trash"/></svg></button>', '1 btn ~trash'],
    [`<button class="btn btn-icon close-button">${ICON}</button>`, '1 btn ~close'],
    [`<button class="w-5 text-gray-500 css-1x2y3z" style="${FIXED}">${ICON}</button>`, '1 btn @30,30'],
    [`<button class=trk style="${FIXED}">${ICON}</button>`, '1 btn @30,30'],
    ['<style>.a::before{content:"▸"}</style><span onclick=1 class=a></span>', '1 btn ~▸'],
    ['<div onclick=1>Priya<br><small>Invoice</small></div>', '1 btn Priya Invoice'],
    [`<button title=Archive>${ICON}</button>`, '1 btn Archive'],
    ['<button><svg width=9 height=9><title>Close</title></svg></button>', '1 btn Close'],
    ['<button title=Close>×</button>', '1 btn Close'],
    ['<span onclick=1>Details ▾</span>', '1 btn Details'],
    [`<span onclick=1 style="background:green;${FIXED}"></span>`, '1 btn ~green'],
    ['<a onclick=1>×</a><textarea placeholder=Write></textarea>', '1 btn ×', '2 textarea Write'],
    [`<ul hidden><li>Norway</ul><input style="${FIXED}">`, '1 inp @34,33'],
    ['<div><input><span>Last name</span></div>', '1 inp ~Last name', '> Last name'],
    ['<p>Password</p><input>', '> Password', '1 inp ~Password'],
    [
      `<div>Set the slider to 7 and press Submit</div><input type=range style="${FIXED}">`,
      '> Set the slider to 7 and press Submit',
      '1 slider @30,30 ="50" 0–100',
    ],
    [
      '<div role=tablist><button role=tab>One</button></div><input placeholder=Email>',
      '1 tab One',
      '2 inp Email',
    ],
  ]);
});

describe('[INT-295] targets', () => {
  cases([
    [
      '<div onclick=1><h1>Inbox</h1><div><b>Ann</b><i>Lunch?</i><span>x</span></div><p>Long ago</p></div>',
      '# Inbox',
      '> AnnLunch?',
      '1 text x',
      '> Long ago',
    ],
    ['<div onclick=1><div>Ann</div><div>Lunch?</div></div>', '1 btn Ann Lunch?'],
    [
      '<div onclick=1><div><span>File</span> <span>Edit</span> <span>View</span></div><p>Nothing chosen</p></div>',
      ...['1 text File', '2 text Edit', '3 text View', '> Nothing chosen'],
    ],
    ['<div id=root onclick=1><span>Open</span> <span>Close</span></div>', '1 text Open', '2 text Close'],
    ['<div id=root onclick=1><span>Share</span> <span>♥ <b>3</b></span></div>', '1 text Share', '2 text ♥ 3'],
    [
      `<div id=root onclick=1><p>One</p><p>Two</p><i class="fa fa-trash" style="${FIXED}"></i></div>`,
      ...['> One', '> Two', '1 box ~trash @30,30'],
    ],
    [
      `<div id=root onclick=1><p>One</p><p>Two</p><span class=star style="${FIXED}">${ICON}</span></div>`,
      ...['> One', '> Two', '1 box ~star @30,30'],
    ],
    [
      '<section><h4>To do</h4><div class=card draggable=true><p>Feed</p><button>›</button><button>✕</button></div></section>',
      ...['# To do', '1 box Feed [draggable]', '> Feed', '2 btn ›', '3 btn ✕'],
    ],
    [
      '<div class=card onclick=1><h3>A</h3><p>aa</p></div><div class=card onclick=1><h3>B</h3><p>bb</p></div>',
      '1 btn A',
      '# A',
      '> aa',
      '2 btn B',
      '# B',
      '> bb',
    ],
    [
      '<svg width=90 height=90 onclick=1><circle cx=20 cy=20 r=9 fill=red /><rect x=50 y=50 width=9 height=9 /></svg>',
      '1 svg @53,53',
      '2 circle ~red @28,28',
      '3 rect @63,63',
    ],
    [
      '<div onclick=1><span style="cursor:pointer">One</span><span style="cursor:pointer">Two</span></div>',
      '1 btn One',
      '2 btn Two',
    ],
    [
      '<div onclick=1><p>A whole sentence is no button, even here.</p></div>',
      '> A whole sentence is no button, even here.',
    ],
    [
      '<div onclick=1><div>Part I</div><div>Chapter 1</div><div>Chapter 2</div></div><div>End</div>',
      '1 text Part I',
      '2 text Chapter 1',
      '3 text Chapter 2',
      '> End',
    ],
    [
      '<div tabindex=0 style="height:40px;overflow:auto"><div>1</div><div>2</div><div>3</div><div>4</div></div>',
      '1 region scrolled 0%, more',
      '> 1',
      '> 2',
      '> 3',
      '> 4',
    ],
    ['<svg width=16 height=16 onclick=1><use href="#icon-star"/></svg>', '1 btn ~star'],
    [
      '<svg width=90 height=90 onclick=1><circle cx=20 cy=20 r=9 fill=none stroke=blue /></svg>',
      '1 svg @53,53',
      '2 circle ~blue @28,28',
    ],
    ['<div draggable=true style="width:30px;height:30px"></div>', '1 box @23,23 [draggable]'],
    ['<ul><li draggable=true>Alpha</ul>', '1 item Alpha [draggable]'],
    [
      `<div>${['A', 'B', 'C'].map((name) => `<p class=tab style="margin:0;height:20px">${name} notes</p>`).join('')}<p class=tab style="margin:0"><input value=D style="width:100px;height:20px;box-sizing:border-box;vertical-align:top"></p></div>`,
      ...['> A notes', '> B notes', '> C notes', '1 inp @58,78 ="D"'],
    ],
    [
      `<svg width=90 height=90 onclick=1><rect x=1 y=50 width=9 height=30 fill=red><title>Jan</title></rect></svg>`,
      ...['1 svg @53,53', '2 rect ~Jan @14,73 9x30 [~#ff0000]'],
    ],
    [
      '<table role=grid onclick=1><tr role=row><th><th>A<th>B</tr><tr role=row><th role=rowheader>1<td role=gridcell>Nut<td role=gridcell style="width:20px"></tr></table>',
      ...['> | A | B', '> 1', '1 gridcell Nut', '2 gridcell ~B 1'],
    ],
    [
      '<style>div div{margin-left:9px}</style><div><div onclick=1 class=n>Clients</div><div><div onclick=1 class=n>Atlas</div><div><div onclick=1 class=n>2022</div></div></div></div>',
      ...['1 btn Clients level 1', '2 btn Atlas level 2', '3 btn 2022 level 3'],
    ],
    ['<ul role=tree><li role=treeitem tabindex=0>A</ul>', '1 treeitem A level 1'],
    ['<canvas width=50 height=50></canvas>', '1 canvas @33,33 50x50'],
    [
      '<style>.tip{display:none}.i:hover .tip{display:block}.b:hover{opacity:.8}</style><span class=i>ⓘ<i class=tip>In 2 days</i></span><b class=b>Bold</b>',
      ...['1 text ⓘ [hover]', '> Bold'],
    ],
    [
      '<style>li ul{display:none}li:hover>ul{display:block}</style><ul><li>File<ul><li tabindex=0>Open</ul><li>View</ul>',
      ...['1 item File [hover]', '> File', '> View'],
    ],
  ]);

  test('lists the items of an open menu apart from the word that opens it', async () => {
    const html = `<style>.s{position:absolute}</style><div class=i>Insert<div class=s style="top:2em"><div class=i>Chart ›<div class=s style="left:9em"><div onclick=1>Bar</div><div onclick=1>Line</div></div></div><div onclick=1>Table</div></div></div>`;
    await using page = await pageWith(html, {
      hooks: () => ({ listenerKinds: (element) => (element.className === 'i' ? 'hover' : undefined) }),
    });
    expect((await page.view()).split('\n').filter((line) => !line.startsWith('>'))).toEqual([
      ...['1 text Insert [hover]', '2 text Chart [hover]', '3 btn Bar', '4 btn Line', '5 btn Table'],
    ]);
  });

  test('lists the tiles of a container that opens a menu or shows tips', async () => {
    await using page = await pageWith(
      '<div id=f><div class=t><b>🖼️</b>IMG_1</div><div class="t on" style="background:navy"><b>🖼️</b>IMG_2</div><div class=t>notes</div></div>',
      { hooks: () => ({ listenerKinds: (element) => (element.id === 'f' ? 'menu' : undefined) }) },
    );
    expect(await page.view()).toBe('1 text 🖼️IMG_1\n2 text 🖼️IMG_2 [~on]\n3 text notes');
  });

  test('lists what a host says can be dropped on or hovered', async () => {
    await using page = await pageWith(
      '<div id=a style="width:40px;height:40px"></div><div id=b>Menu</div><main id=c><h1>T</h1><p>x</p></main><div id=d><h4>To do</h4><div draggable=true>Feed</div></div>',
      {
        hooks: () => ({
          listenerKinds: (element) =>
            ({ a: 'drop', b: 'hover', c: 'hover', d: 'drop' })[element.id as 'a' | 'b' | 'c' | 'd'],
        }),
      },
    );
    expect(await page.view()).toBe(
      '1 box @28,28 [drop]\n2 text Menu [hover]\n# T\n> x\n3 text To do [drop]\n# To do\n4 box Feed [draggable]',
    );
  });
});

describe('[INT-296] budget and query', () => {
  const SENTENCES = [
    'The harbour froze twice that winter, and nobody could say when the ferry would leave again.',
    'Prices rose.',
    'A committee (eleven members, three of them absent) recommended an extraordinary re-examination.',
    'By 1994 the railway carried 2.4 million passengers, mostly commuters from neighbouring municipalities.',
    'Why it was never rebuilt is disputed; Müller blames the architect, Okonkwo the weather.',
  ];
  const many = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join('');
  const PAGES = {
    list: many(
      300,
      (n) =>
        `<li><a href=#>Product number ${n}</a> was added in ${1990 + n} and costs ${n} euros <button>Buy</button>`,
    ),
    article: many(
      90,
      (n) => `<h2>Part ${n}</h2><p>${SENTENCES.slice(n % 5).join(' ')} ${SENTENCES.join(' ')}</p>`,
    ),
    form: `<table>${many(250, (n) => `<tr><th>INV-${2000 + n}<td>${n * 7}.50 €<td>2026-0${1 + (n % 9)}-1${n % 10}<td><input aria-label="Paid to ${n}" value="DE${n * 7919}"><select aria-label=State><option>open</select>`)}</table>`,
  };
  const SHARES = Object.keys(PAGES).flatMap((name) => [200, 500, 2000].map((most) => ({ name, most })));

  test.each(SHARES)(
    'fills at least 85 %% of a budget of $most tokens (o200k): $name',
    async ({ name, most }) => {
      const page = await shared.show(PAGES[name as keyof typeof PAGES]);
      const tokens = tokensOf(await page.view({ scope: 'page', max_tokens: most }));
      expect(tokens).toBeLessThanOrEqual(most);
      expect(tokens).toBeGreaterThanOrEqual(most * 0.85);
    },
  );

  test('cuts a long text at a sentence, and counts what is missing', async () => {
    const page = await shared.show(`<p>${'This is one sentence. '.repeat(60)}</p><button>Go on</button>`);
    const { context, left_out, page: seen } = await page.snapshot({ form: 'view', max_tokens: 100 });
    expect(seen.interactive_tree).toMatchObject([{ n: 'Go on' }]);
    expect(context[0]?.text).toMatch(/^(?:This is one sentence\. )+…$/);
    expect(left_out).toMatchObject({ nodes: 0, texts: 1 });
  });

  test('shows only what a query is about, with the buttons beside it', async () => {
    const page = await shared.show(
      '<h1>Mail</h1><div>Ann: lunch</div><button>Open</button><div>Bob: invoice</div><button>Pay</button><h2>Other</h2><a href=#>Help</a>',
    );
    expect(await page.view({ query: 'invoice' })).toBe('> Bob: invoice\n2 btn Pay');
    expect(await page.view({ query: 'help' })).toBe('# Other\n3 link Help');
    expect(await page.view({ query: 'zebra' })).toBe('');
  });
});

test('[INT-274] HTML has no attribute of ours, and keeps to its region', async () => {
  const page = await shared.show('<p>other</p><div tabindex=0>this <b>one</b></div>');
  await page.snapshot();
  expect((await page.fullDom()).html).not.toContain('data-llm-id');
  const { html } = await page.run(() => drawbridgeKit.perception.fullDom({ region: '1' }));
  expect(html).toBe('<div tabindex="0">this <b>one</b></div>');
  expect(await page.run(() => drawbridgeKit.perception.skeleton({ region: '1' }))).toBe(
    '<div id="1">this one</div>',
  );
});
