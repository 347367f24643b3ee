import { DRAWN_CASES } from './drawn-cases.ts';
import { IDLE_CASES } from './idle-cases.ts';
import { go, type PressCase, pixel, SVG, SVG_NAMESPACE, styled } from './press-case.ts';
import { STYLE_CASES } from './style-cases.ts';

export type { PressCase } from './press-case.ts';

const box = (id: string, css = '') =>
  `<div id=${id} style="width:90px;height:40px;background:#ccc;${css}"></div>`;

/** Presses after which a person sees something else than before. */
export const VISIBLE: readonly PressCase[] = [
  { name: 'counter', html: go(`n.textContent=+n.textContent+9`, '<p id=n>0</p>'), says: /text: 0 → 9/ },
  {
    name: 'class',
    html: styled(
      '.selected{background:gold}',
      go(`k.className='selected'`, '<p>Bath</p><p id=k>Kitchen</p>'),
    ),
    says: /Kitchen: selected/,
  },
  {
    name: 'slider',
    html: go(`r.value=5`, '<input type=range id=r min=0 max=10 value=2 aria-label=Volume>'),
    says: /"v":"5"|slid.*5/,
  },
  { name: 'number appears', html: go(`p.append('7')`, '<p id=p></p>'), says: /7/ },
  { name: 'negative number', html: go(`p.textContent='-1'`, '<b id=p>3</b>'), says: /3 → -1/ },
  {
    name: 'svg path',
    html: go(
      `p.setAttribute('d','M0 0 L99 0 L99 80')`,
      `${SVG}<path id=p d="M0 0 L99 80" stroke=red fill=none></svg>`,
    ),
  },
  {
    name: 'svg line drawn',
    html: go(
      `const l=document.createElementNS(${SVG_NAMESPACE},'polyline');l.setAttribute('points','5,5 90,90');l.setAttribute('stroke','red');s.append(l)`,
      `${SVG}<g id=s></g></svg>`,
    ),
  },
  {
    name: 'svg points',
    html: go(
      `p.setAttribute('points','0,0 50,80 99,90')`,
      `${SVG}<polyline id=p points="0,0 80,20 99,90" stroke=red fill=none></svg>`,
    ),
  },
  {
    name: 'svg circle moves',
    html: go(`c.setAttribute('cx',90)`, `${SVG}<circle id=c cx=20 cy=20 r=9></svg>`),
  },
  { name: 'svg fill', html: go(`c.setAttribute('fill','red')`, `${SVG}<circle id=c cx=20 cy=20 r=9></svg>`) },
  {
    name: 'canvas',
    html: go(`c.getContext('2d').fillRect(5,5,20,20)`, '<canvas id=c width=300 height=200></canvas>'),
    says: /drawing/,
  },
  {
    name: 'canvas line',
    html: go(
      `const x=c.getContext('2d');x.moveTo(0,3);x.lineTo(200,90);x.stroke()`,
      '<canvas id=c width=900 height=500></canvas>',
    ),
    says: /drawing/,
  },
  {
    name: 'checked sibling',
    html: styled(
      'p{display:none}input:checked~p{display:block}',
      '<label>Go <input type=checkbox id=x></label><p>More</p>',
    ),
  },
  {
    name: 'hidden checkbox, css only',
    html: styled(
      '#x{position:absolute;opacity:0}#x:checked~p{color:red;font-weight:bold}',
      '<input type=checkbox id=x><label for=x>Go</label><p>Hot</p>',
    ),
  },
  {
    name: 'details',
    html: '<details><summary>Go</summary><p>The small print</p></details>',
    says: /expanded|small print/,
  },
  { name: 'dialog', html: go(`d.showModal()`, '<dialog id=d><h2>Really?</h2></dialog>') },
  { name: 'title', html: `<title>One</title>${go(`document.title='Two'`)}`, says: /title: One → Two/ },
  { name: 'page scrolls', html: go(`window.scrollTo(0,900)`, '<div style="height:4000px">Long</div>') },
  {
    name: 'box scrolls',
    html: go(
      `b.scrollTop=300`,
      '<div id=b style="height:80px;overflow:auto"><p style="height:900px">Tall</p></div>',
    ),
  },
  {
    name: 'smooth scroll',
    html: go(`e.scrollIntoView({behavior:'smooth'})`, '<div style="height:3000px">Long</div><p id=e>End</p>'),
  },
  {
    name: 'selection',
    html: go(`getSelection().selectAllChildren(p)`, '<p id=p>Pick these words</p>'),
    says: /Pick these words/,
  },
  {
    name: 'video plays',
    html: go(
      `v.play()`,
      '<video id=v muted controls width=200></video><script>const c=document.createElement("canvas");c.getContext("2d").fillRect(0,0,9,9);v.srcObject=c.captureStream()</script>',
    ),
    says: /play/,
  },
  { name: 'field value', html: go(`f.value='Ada'`, '<input id=f aria-label=First>'), says: /Ada/ },
  {
    name: 'textarea value',
    html: go(`f.value='Dear'`, '<textarea id=f aria-label=Letter></textarea>'),
    says: /Dear/,
  },
  { name: 'checkbox by script', html: go(`f.checked=true`, '<input type=checkbox id=f aria-label=Agree>') },
  { name: 'indeterminate', html: go(`f.indeterminate=true`, '<input type=checkbox id=f aria-label=All>') },
  {
    name: 'radio by script',
    html: go(
      `b.checked=true`,
      '<input type=radio name=a checked aria-label=A><input type=radio name=a id=b aria-label=B>',
    ),
  },
  {
    name: 'choice by script',
    html: go(`f.selectedIndex=1`, '<select id=f aria-label=Size><option>S<option>M</select>'),
  },
  { name: 'progress', html: go(`f.value=70`, '<progress id=f max=100 value=20></progress>') },
  { name: 'meter', html: go(`f.value=.7`, '<meter id=f value=.2></meter>') },
  { name: 'colour', html: go(`p.style.color='red'`, '<p id=p>Status</p>'), says: /Status.*colou?r/ },
  {
    name: 'background image',
    html: go(`b.style.backgroundImage='url(&quot;${pixel('red')}&quot;)'`, box('b')),
  },
  { name: 'transform', html: go(`b.style.transform='translateX(80px)'`, box('b')) },
  {
    name: 'rotated arrow',
    html: styled(
      '.open{rotate:90deg}',
      go(`b.className='open'`, '<span id=b style="display:inline-block">▸</span>'),
    ),
  },
  {
    name: 'opacity transition',
    html: styled('#b{opacity:.1;transition:opacity .1s}#b.on{opacity:1}', go(`b.className='on'`, box('b'))),
  },
  {
    name: 'transition after a delay',
    html: styled(
      '#b{opacity:1;transition:opacity .1s .1s}#b.off{opacity:0}',
      go(`b.className='off'`, '<p id=b>Bye</p>'),
    ),
  },
  {
    name: 'shadow root',
    html: go(
      `h.shadowRoot.querySelector('p').textContent='4 items'`,
      '<div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML="<p>3 items</p>"</script>',
    ),
    says: /3 items → 4 items/,
  },
  {
    name: 'same-origin frame',
    html: go(
      `f.contentDocument.querySelector('p').textContent='8'`,
      '<iframe id=f srcdoc="<p>5</p>"></iframe>',
    ),
    says: /5 → 8/,
  },
  {
    name: 'pseudo content',
    html: styled(
      '#b::before{content:attr(data-n)}',
      go(`b.dataset.n='12'`, '<b id=b data-n=11 style="display:inline-block;width:50px"></b>'),
    ),
  },
  {
    name: 'toggle thumb',
    html: styled(
      '#b{display:block;width:40px;height:20px;background:#ccc;position:relative}#b::after{content:"";position:absolute;width:20px;height:20px;background:#333;left:0}#b.on::after{left:20px}',
      go(`b.className='on'`, '<i id=b></i>'),
    ),
  },
  {
    name: 'pressed state only',
    html: `<button aria-pressed=false onclick="this.setAttribute('aria-pressed',true)">Go</button>`,
  },
  { name: 'disabled', html: go(`b.disabled=true`, '<button id=b>Pay</button>') },
  { name: 'enabled', html: go(`b.disabled=false`, '<button id=b disabled>Pay</button>') },
  { name: 'reordered', html: go(`l.append(l.firstElementChild)`, '<ul id=l><li>Ada<li>Bo<li>Cy</ul>') },
  {
    name: 'flex order',
    html: go(`b.style.order=-1`, '<div style="display:flex"><p>One</p><p id=b>Two</p></div>'),
  },
  {
    name: 'image',
    html: go(`i.src=&quot;${pixel('blue')}&quot;`, `<img id=i width=40 height=40 src="${pixel('red')}">`),
  },
  {
    name: 'fetch',
    html: go(`fetch('/slow').then(()=>{p.textContent='Saved'})`, '<p id=p>Draft</p>'),
    says: /Draft → Saved/,
  },
  {
    name: 'fetch then timer',
    html: go(`fetch('/slow').then(()=>setTimeout(()=>{p.textContent='Saved'},150))`, '<p id=p>Draft</p>'),
    says: /Saved/,
  },
  {
    name: 'timer',
    html: go(`setTimeout(()=>{p.textContent='Ready'},200)`, '<p id=p>Wait</p>'),
    says: /Wait → Ready/,
  },
  {
    name: 'frame callback',
    html: go(`requestAnimationFrame(()=>{p.textContent='1'})`, '<p id=p>0</p>'),
    says: /0 → 1/,
  },
  {
    name: 'message channel',
    html: go(
      `const c=new MessageChannel();c.port1.onmessage=()=>{p.textContent='1'};c.port2.postMessage(0)`,
      '<p id=p>0</p>',
    ),
  },
  {
    name: 'invisible',
    html: go(`p.style.visibility='hidden'`, '<p id=p>Secret plan</p>'),
    says: /Secret plan/,
  },
  { name: 'removed', html: go(`p.remove()`, '<p id=p>Old news</p>'), says: /Old news/ },
  {
    name: 'row added',
    html: go(`l.insertAdjacentHTML('beforeend','<li>Cy')`, '<ul id=l><li>Ada<li>Bo</ul>'),
    says: /Cy/,
  },
  {
    name: 'below the fold',
    html: go(`p.textContent='2 in cart'`, '<div style="height:3000px"></div><p id=p>1 in cart</p>'),
    says: /1 in cart → 2 in cart/,
  },
  { name: 'popover', html: go(`p.showPopover()`, '<div popover id=p>Hint</div>'), says: /Hint/ },
  { name: 'own text', html: go(`this.append('!')`) },
  {
    name: 'bold',
    html: styled('.b{font-weight:700}', go(`p.className='b'`, '<p id=p style="width:200px">Milk</p>')),
    says: /Milk/,
  },
  {
    name: 'struck through',
    html: styled('.done{text-decoration:line-through}', go(`p.className='done'`, '<p id=p>Milk</p>')),
    says: /Milk: done/,
  },
  {
    name: 'border',
    html: styled('p{border:2px solid #ccc}.e{border-color:red}', go(`p.className='e'`, '<p id=p>Name</p>')),
  },
  { name: 'shadow', html: styled('.e{box-shadow:0 0 9px red}', go(`b.className='e'`, box('b'))) },
  { name: 'outline', html: styled('.e{outline:3px solid red}', go(`b.className='e'`, box('b'))) },
  { name: 'width', html: go(`b.style.width='180px'`, box('b')) },
  {
    name: 'editable text',
    html: go(`p.textContent='Hello'`, '<p id=p contenteditable aria-label=Note>Hi</p>'),
  },
  {
    name: 'theme',
    html: styled('.dark{background:#111;color:#eee}', go(`document.body.className='dark'`, '<p>Text</p>')),
  },
  {
    name: 'root variable',
    html: styled(
      '#b{background:var(--c,#ccc)!important}',
      go(`document.documentElement.style.setProperty('--c','red')`, box('b')),
    ),
  },
  {
    name: 'style rule',
    html: `<style id=s>p{color:black}</style>${go(`s.sheet.insertRule('p{color:red}',1)`, '<p>Text</p>')}`,
  },
  {
    name: 'adopted sheet',
    html: go(
      `const s=new CSSStyleSheet();s.replaceSync('p{background:gold}');document.adoptedStyleSheets=[s]`,
      '<p>Text</p>',
    ),
  },
  {
    name: 'script animation',
    html: go(`b.animate([{translate:'0'},{translate:'90px'}],{duration:150,fill:'forwards'})`, box('b')),
  },
  {
    name: 'collapsed',
    html: go(`b.style.height='0'`, '<div id=b style="height:60px;overflow:hidden"><p>Panel</p></div>'),
  },
  { name: 'blurred', html: go(`b.style.filter='blur(4px)'`, box('b')) },
  { name: 'clipped', html: go(`b.style.clipPath='inset(10px)'`, box('b')) },
  { name: 'table cell', html: go(`c.textContent='X'`, '<table><tr><td id=c>&nbsp;<td>O</table>'), says: /X/ },
  {
    name: 'redrawn with one change',
    html: go(`l.innerHTML=l.innerHTML.replace('>0<','>1<')`, '<ul id=l><li>Ada <b>5</b><li>Bo <b>0</b></ul>'),
    says: /0 → 1/,
  },
  { name: 'emoji', html: go(`p.textContent='🌟'`, '<p id=p>🎱</p>'), says: /🌟/ },
  { name: 'placeholder', html: go(`f.placeholder='City'`, '<input id=f placeholder=Country>') },
  { name: 'aligned', html: go(`p.style.textAlign='right'`, '<p id=p>Text</p>') },
  { name: 'capitals', html: go(`p.style.textTransform='uppercase'`, '<p id=p style="width:200px">text</p>') },
  {
    name: 'icon',
    html: go(
      `u.setAttribute('href','#b')`,
      `<svg width=0 height=0><symbol id=a><circle r=9 /></symbol><symbol id=b><rect width=9 height=9 /></symbol></svg>${SVG}<use id=u href="#a"/></svg>`,
    ),
  },
  { name: 'focus given', html: go(`f.focus()`, '<input id=f aria-label=Field>') },
  { name: 'address', html: go(`location.hash='a'`) },
  { name: 'list marker', html: go(`l.style.listStyleType='square'`, '<ul id=l><li>Ada</ul>') },
  {
    name: 'column shown',
    html: go(`c.hidden=false`, '<table><tr><td>1<td id=c hidden>22</table>'),
    says: /22/,
  },
  {
    name: 'parent class',
    html: styled('.on{background:gold}', `<div>${go(`this.parentElement.className='on'`)} Row</div>`),
  },
  {
    name: 'own class',
    html: styled('.on{background:gold}', `<button onclick="this.classList.toggle('on')">Go</button>`),
  },
  {
    name: 'other-origin frame',
    html: go(`n.textContent=+n.textContent+1`, '<p id=n>0</p>'),
    frame: 'other',
    says: /0 → 1/,
  },
  ...STYLE_CASES,
  ...DRAWN_CASES,
];

/** Presses that change nothing that a person could see. */
export const INVISIBLE: readonly PressCase[] = [
  { name: 'no listener', html: '<button>Go</button><p>Text</p>' },
  { name: 'empty listener', html: go(`void 0`) },
  { name: 'log', html: go(`console.log(1)`) },
  { name: 'class without style', html: go(`p.className='seen'`, '<p id=p>Text</p>') },
  { name: 'own class without style', html: go(`this.className='seen'`) },
  { name: 'data attribute', html: go(`p.dataset.at=Date.now()`, '<p id=p>Text</p>') },
  { name: 'same text', html: go(`p.textContent='Text'`, '<p id=p>Text</p>') },
  { name: 'same again', html: go(`l.innerHTML=l.innerHTML`, '<ul id=l><li>Ada<li><a href=#x>Bo</a></ul>') },
  { name: 'same style', html: go(`p.style.color='red';p.style.color=''`, '<p id=p>Text</p>') },
  { name: 'hidden text', html: go(`p.textContent='b'`, '<p id=p hidden>a</p>') },
  { name: 'hidden field', html: go(`p.value='b'`, '<input type=hidden id=p value=a>') },
  {
    name: 'clipped text',
    html: go(
      `p.textContent='b'`,
      '<p id=p style="position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden">a</p>',
    ),
  },
  { name: 'comment', html: go(`document.body.append(document.createComment('x'))`) },
  { name: 'meta', html: go(`document.head.append(document.createElement('meta'))`) },
  { name: 'script', html: go(`document.body.append(document.createElement('script'))`) },
  { name: 'storage', html: go(`localStorage.x=1`) },
  { name: 'void link', html: '<a href="javascript:void 0">Go</a>' },
  { name: 'hover style', html: styled('button:hover{background:gold}', '<button>Go</button>') },
  {
    name: 'hover transition',
    html: styled(
      'button{transition:all .1s}button:hover{background:gold;padding:9px}',
      '<button>Go</button>',
    ),
  },
  {
    name: 'focus style',
    html: styled('button:focus{outline:4px solid red;box-shadow:0 0 9px red}', '<button>Go</button>'),
  },
  { name: 'active style', html: styled('button:active{transform:scale(.9)}', '<button>Go</button>') },
  {
    name: 'row hover',
    html: styled('tr:hover{background:gold}', '<table><tr><td><button>Go</button><td>Ada</table>'),
  },
  {
    name: 'focus within',
    html: styled(
      'form:focus-within{border:2px solid gold}form{border:2px solid #ccc}',
      '<form><button type=button>Go</button></form>',
    ),
  },
  {
    name: 'hover on a child',
    html: styled('button:hover span{color:red}', '<button><span>Go</span></button>'),
  },
  { name: 'idle timer', html: go(`setTimeout(()=>{},50)`) },
  { name: 'idle fetch', html: go(`fetch('/quick')`) },
  { name: 'same value', html: go(`f.value='a'`, '<input id=f value=a aria-label=First>') },
  { name: 'scroll to the same place', html: go(`window.scrollTo(0,0)`, '<div style="height:3000px"></div>') },
  {
    name: 'same drawing',
    html: go(
      `c.getContext('2d').fillRect(0,0,9,9)`,
      '<canvas id=c></canvas><script>c.getContext("2d").fillRect(0,0,9,9)</script>',
    ),
  },
  { name: 'empty element', html: go(`document.body.append(document.createElement('div'))`) },
  { name: 'class on the page', html: go(`document.documentElement.classList.add('js')`, '<p>Text</p>') },
  { name: 'event', html: go(`dispatchEvent(new Event('x'))`) },
  { name: 'tooltip', html: go(`p.title='b'`, '<p id=p>Text</p>') },
  {
    name: 'removed and put back',
    html: go(`const [r,o]=[p,p.parentNode];r.remove();o.append(r)`, '<div><p id=p>Text</p></div>'),
  },
  { name: 'blur', html: '<input autofocus aria-label=Field><button tabindex=-1>Go</button>' },
  ...IDLE_CASES,
];

/** Parts of a page that change without anybody doing anything. */
export const RESTLESS: Readonly<Record<string, string>> = {
  clock: `<p id=zc>0</p><script>setInterval(()=>{zc.textContent=+zc.textContent+1},60)</script>`,
  ticker: `<ul id=zt style="height:60px;overflow:hidden"></ul><script>setInterval(()=>{zt.insertAdjacentHTML('afterbegin','<li><a href=#n>News '+performance.now()+'</a>');while(zt.children.length>4)zt.lastChild.remove()},60)</script>`,
  'frame loop': `<i id=za style="display:block;width:9px;height:9px;background:red"></i><script>(function f(t){za.style.transform='translateX('+t%200+'px)';requestAnimationFrame(f)})(0)</script>`,
  spinner: `<style>@keyframes s{to{rotate:1turn}}</style><i style="display:block;width:20px;height:20px;border:2px dashed;animation:s 1s linear infinite"></i>`,
  'moving drawing': `<canvas id=zd width=60 height=40></canvas><script>(function f(t){const x=zd.getContext('2d');x.clearRect(0,0,60,40);x.fillRect(t/9%60,0,9,9);requestAnimationFrame(f)})(0)</script>`,
  advert: `<img id=zi width=40 height=40><script>let zn=0;setInterval(()=>{zi.src=zn++%2?"${pixel('red')}":"${pixel('blue')}"},60)</script>`,
  'svg animation': `${SVG}<circle cx=20 cy=20 r=9><animate attributeName=cx from=20 to=180 dur=1s repeatCount=indefinite /></circle></svg>`,
  'progress bar': `<div style="width:200px"><div id=zb style="height:9px;background:green"></div></div><script>setInterval(()=>{zb.style.width=performance.now()/20%100+'%'},50)</script>`,
};
