import { go, type PressCase, pixel, SVG, SVG_NAMESPACE, styled } from './press-case.ts';

const shape = (name: string, html: string, script: string): PressCase => ({
  name: `svg: ${name}`,
  html: go(script, `${SVG}${html}</svg>`),
});
const canvas = (name: string, script: string, before = ''): PressCase => ({
  name: `canvas: ${name}`,
  html: `<canvas id=c width=120 height=80></canvas><script>const x=c.getContext('2d');${before}</script>${go(script)}`,
  says: /drawing/,
});
const made = (tag: string, attributes: string) =>
  `const e=document.createElementNS(${SVG_NAMESPACE},'${tag}');for(const [k,v] of Object.entries(${attributes}))e.setAttribute(k,v);s.append(e)`;
const page = (name: string, html: string, script: string, says?: RegExp): PressCase => ({
  name,
  html: go(script, html),
  ...(says && { says }),
});
const shadow = (inner: string, mode = 'open') =>
  `<div id=h></div><script>const r=h.attachShadow({mode:'${mode}'});r.innerHTML=${JSON.stringify(inner)}</script>`;
const frame = (inner: string) => `<iframe id=f srcdoc="${inner.replaceAll('"', '&quot;')}"></iframe>`;

export const DRAWN_CASES: readonly PressCase[] = [
  shape('rect grows', '<rect id=e width=20 height=20 />', `e.setAttribute('width',90)`),
  shape('rect moves', '<rect id=e width=20 height=20 />', `e.setAttribute('x',90)`),
  shape('radius', '<circle id=e cx=40 cy=40 r=9 />', `e.setAttribute('r',30)`),
  shape('ellipse', '<ellipse id=e cx=40 cy=40 rx=9 ry=20 />', `e.setAttribute('rx',35)`),
  shape('line', '<line id=e x1=0 y1=0 x2=50 y2=50 stroke=red />', `e.setAttribute('x2',120)`),
  shape('polygon', '<polygon id=e points="0,0 50,0 25,40"/>', `e.setAttribute('points','0,0 90,0 25,80')`),
  shape('stroke', '<line id=e x2=50 y2=50 stroke=red />', `e.setAttribute('stroke','blue')`),
  shape('stroke width', '<line id=e x2=50 y2=50 stroke=red />', `e.setAttribute('stroke-width',9)`),
  shape('dashes', '<line id=e x2=99 y2=50 stroke=red />', `e.setAttribute('stroke-dasharray','4 4')`),
  shape('fill by style', '<rect id=e width=20 height=20 />', `e.style.fill='red'`),
  shape('opacity', '<rect id=e width=20 height=20 />', `e.setAttribute('opacity',.2)`),
  shape(
    'transform',
    '<g id=e><rect width=20 height=20 /></g>',
    `e.setAttribute('transform','translate(60 9)')`,
  ),
  shape('text', '<text id=e x=9 y=30>12</text>', `e.textContent='47'`),
  shape('new circle', '<g id=s></g>', made('circle', '{cx:50,cy:50,r:9}')),
  shape('new text', '<g id=s></g>', `${made('text', '{x:9,y:30}')};e.textContent='Peak'`),
  shape('removed', '<rect id=e width=20 height=20 />', 'e.remove()'),
  shape('hidden', '<rect id=e width=20 height=20 />', `e.style.display='none'`),
  canvas('text', `x.fillText('Hello',9,30)`),
  canvas('one point', 'x.fillRect(60,40,2,2)'),
  canvas('cleared', 'x.clearRect(0,0,120,80)', 'x.fillRect(9,9,50,50);'),
  canvas('recoloured', `x.fillStyle='red';x.fillRect(9,9,50,50)`, 'x.fillRect(9,9,50,50);'),
  canvas('circle', 'x.arc(40,40,20,0,7);x.fill()'),
  canvas('pixels', `const d=x.createImageData(9,9);d.data.fill(255);x.putImageData(d,9,9)`),
  canvas('resized', 'c.width=60', 'x.fillRect(0,0,120,80);'),
  canvas('in the next frame', 'requestAnimationFrame(()=>x.fillRect(9,9,20,20))'),
  canvas('after a request', `fetch('/slow').then(()=>x.fillRect(9,9,20,20))`),
  {
    name: 'WebGL on itself',
    html: `<canvas id=c role=button aria-label=Go width=90 height=90></canvas><script>const g=c.getContext('webgl');const p=(r)=>{g.clearColor(r,0,0,1);g.clear(g.COLOR_BUFFER_BIT)};p(0);c.onclick=()=>p(1)</script>`,
    says: /drawing/,
  },
  {
    name: 'WebGL inside',
    html: `<div role=button aria-label=Go id=d><canvas id=c width=90 height=90></canvas></div><script>const g=c.getContext('webgl');const p=(r)=>{g.clearColor(0,r,0,1);g.clear(g.COLOR_BUFFER_BIT)};p(0);d.onclick=()=>p(1)</script>`,
    says: /drawing/,
  },
  page(
    'image source set',
    `<img id=i width=40 height=40 src="${pixel('red')}">`,
    `i.srcset="${pixel('green').replaceAll(' ', '%20')} 1x"`,
  ),
  page(
    'image removed',
    `<img id=i width=40 height=40 alt=Lamp src="${pixel('red')}">`,
    'i.remove()',
    /Lamp|img/,
  ),
  page('image added', '<p id=p></p>', `p.innerHTML='<img alt=Cup width=40 height=40>'`, /Cup/),
  page('controls shown', '<audio id=a></audio>', 'a.controls=true'),
  page('title emptied', '<title>One</title>', `document.title=''`, /title/),
  page('title counted', '<title>Inbox</title>', `document.title='(1) Inbox'`, /\(1\) Inbox/),
  page(
    'part selected',
    '<p id=p>Pick these words</p>',
    'getSelection().setBaseAndExtent(p.firstChild,0,p.firstChild,4)',
    /Pick/,
  ),
  page('field selected', '<input id=f value=Hello aria-label=F>', 'f.focus();f.select()'),
  page(
    'other selection',
    '<p id=p>One two</p><p id=q>Three</p><script>getSelection().selectAllChildren(p)</script>',
    'getSelection().selectAllChildren(q)',
    /Three/,
  ),
  page(
    'scrolls sideways',
    '<div id=b style="width:90px;overflow:auto"><p style="width:900px">Wide</p></div>',
    'b.scrollLeft=200',
  ),
  page('scrolls to the end', '<div style="height:2000px">Long</div><p id=e>End</p>', 'e.scrollIntoView()'),
  page(
    'list scrolls',
    '<ul id=l style="height:60px;overflow:auto"><li>A<li>B<li>C<li>D<li>E<li>F</ul>',
    'l.lastChild.scrollIntoView()',
  ),
  page('shadow text', shadow('<p>3 items</p>'), `r.querySelector('p').textContent='9 items'`, /9 items/),
  page(
    'shadow class',
    shadow('<style>.on{color:red}</style><p>Words</p>'),
    `r.querySelector('p').className='on'`,
  ),
  page('shadow element added', shadow('<p>One</p>'), `r.append('Two')`, /Two/),
  page(
    'closed shadow text',
    shadow('<p>3 items</p>', 'closed'),
    `r.querySelector('p').textContent='9 items'`,
    /9 items/,
  ),
  page('shadow field', shadow('<input aria-label=City>'), `r.querySelector('input').value='Bern'`, /Bern/),
  page(
    'slot',
    `<div id=h>Slotted</div><script>h.attachShadow({mode:'open'}).innerHTML='<b></b>'</script>`,
    `h.shadowRoot.innerHTML='<slot></slot>'`,
    /Slotted/,
  ),
  page('frame text', frame('<p>5</p>'), `f.contentDocument.querySelector('p').textContent='6'`, /5 → 6/),
  page(
    'frame field',
    frame('<input aria-label=City>'),
    `f.contentDocument.querySelector('input').value='Bern'`,
    /Bern/,
  ),
  page('frame style', frame('<p>Words</p>'), `f.contentDocument.querySelector('p').style.color='red'`),
  page('frame shown', `<iframe id=f hidden srcdoc="<p>Inside</p>"></iframe>`, 'f.hidden=false'),
  page('frame removed', frame('<p>Inside</p>'), 'f.remove()'),
  {
    name: 'other-origin frame: class',
    html: styled('.on{color:red}', go(`p.className='on'`, '<p id=p>Words</p>')),
    frame: 'other',
  },
  {
    name: 'other-origin frame: field',
    html: go(`f.value='Bern'`, '<input id=f aria-label=City>'),
    frame: 'other',
    says: /Bern/,
  },
  {
    name: 'other-origin frame: row',
    html: go(`l.insertAdjacentHTML('beforeend','<li>Cy')`, '<ul id=l><li>Ada</ul>'),
    frame: 'other',
    says: /Cy/,
  },
];
