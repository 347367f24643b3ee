export const ELEMENTS_PAGE = `<title>Garden</title>
<style>body{margin:8px;font:16px sans-serif} #box{height:60px;width:200px;overflow:auto} #menu{display:none;position:absolute;right:0} #hover:hover + #menu{display:block}</style>
<h1>Garden</h1>
<section id="beds"><h2>Beds</h2><ul>
  <li class="bed" data-plant="bean" title="Row 1" onclick="evil()">Beans</li>
  <li class="bed" data-plant="pea">Peas</li>
</ul></section>
<section id="tools" aria-label="Tools"><p>Spade</p></section>
<form id="form" onsubmit="event.preventDefault(); sent.textContent = 'Sent'">
  <label>Name <input id="name" value="Ada"></label>
  <label>Password <input id="password" type="password"></label>
  <label>Notes <textarea id="notes"></textarea></label>
  <label>Size <select id="size"><option value="s">Small</option><option value="l">Large</option></select></label>
  <label><input type="checkbox" id="agree"> Agree</label>
  <button>Send</button>
</form>
<p id="sent"></p>
<div id="editor" contenteditable="true" role="textbox" aria-label="Editor">old text</div>
<button id="add" onclick="count.textContent = Number(count.textContent) + 1; this.ariaPressed = 'true'" ondblclick="count.dataset.double = 'yes'">Add</button>
<output id="count">0</output>
<button id="hover" onpointerover="this.dataset.over = 'yes'">Menu</button><p id="menu">Items</p>
<label>File <input type="file" id="file" onchange="count.dataset.file = this.files[0].name"></label>
<div id="seed" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'seed')" role="button" tabindex="0" style="width:60px;height:24px">Seed</div>
<div id="soil" role="button" tabindex="0" style="width:120px;height:24px" ondragover="event.preventDefault()" ondrop="this.textContent = 'Planted'">Soil</div>
<div id="box"><div class="row" style="height:200px">One</div><div class="row" style="height:200px">Two</div></div>
<a id="away" href="/next">Next page</a>
<div style="height:2000px"></div>
<p id="end">The end</p>`;

export const NEXT = '<title>Next</title><h1>Next</h1><p id="there">There</p><a href="/">Back</a>';
