import { createSeededRandom, type SeededRandom } from '@drawbridge/testbed';

export const RUN = 'document.documentElement.dataset.ran=1';
export const AWAY = 'https://evil.example/x';

const PLAIN = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${AWAY}.png">`,
  `![picture](${AWAY}.png)`,
  `![picture](${AWAY}.svg "title")`,
  `[click](javascript:${RUN})`,
  `[click](java\tscript:${RUN})`,
  `[click](&#x6A;avascript:${RUN})`,
  `[click](data:text/html,<script>${RUN}</script>)`,
  `[click](data:text/html;base64,PHNjcmlwdD4=)`,
  `[click](blob:${AWAY})`,
  `[click](file:///etc/passwd)`,
  `[click](intent://x#Intent;scheme=javascript;end)`,
  `[click](//evil.example/x)`,
  `[click](vbscript:msgbox)`,
  `[click](<javascript:${RUN}>)`,
  `[click][ref]\n\n[ref]: javascript:${RUN}`,
  `![x][ref]\n\n[ref]: ${AWAY}.png`,
  `<a href="javascript:${RUN}">a</a>`,
  `<a href="${AWAY}" ping="${AWAY}">a</a>`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><image href="${AWAY}.png"/></svg>`,
  `<svg><use href="${AWAY}.svg#x"/></svg>`,
  `<iframe src="${AWAY}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="${AWAY}"></object>`,
  `<embed src="${AWAY}">`,
  `<link rel=stylesheet href="${AWAY}.css">`,
  `<link rel=prefetch href="${AWAY}">`,
  `<style>@import url(${AWAY}.css);</style>`,
  `<div style="background:url(${AWAY}.png)">x</div>`,
  `<base href="${AWAY}/">`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<form action="${AWAY}"><button autofocus onfocus="${RUN}">x</button></form>`,
  `<input autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video src="${AWAY}.mp4" autoplay onerror="${RUN}"></video>`,
  `<audio src="${AWAY}.mp3" autoplay></audio>`,
  `<picture><source srcset="${AWAY}.webp"><img></picture>`,
  `<body onload="${RUN}" background="${AWAY}.png">`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`"><img/src=x/onerror=${RUN}>\nx\n\`\`\``,
  `<${AWAY}>\n\n<javascript:${RUN}>`,
  `| a |\n|---|\n| <img src=${AWAY} onerror=${RUN}> |`,
  `- [ ] <img src=${AWAY}.png>\n- [x] [y](javascript:${RUN})`,
  `> # <img src=x onerror=${RUN}>`,
  `[^1]\n\n[^1]: <img src=${AWAY} onerror=${RUN}>`,
  `\u202e${AWAY}\u2066<b onmouseover=${RUN}>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `__proto__ \${${RUN}} <%= ${RUN} %>`,
  `';${RUN};//`,
  `www.evil.example/x mailto:x@evil.example`,
];

/** Contexts and encodings that change how a payload is parsed. */
const DISGUISES: readonly ((text: string, random: SeededRandom) => string)[] = [
  (text) => text,
  (text) => `before ${text} after`,
  (text) => `"'><x ${text}`,
  (text) => `</p></div></script></style></textarea></title>${text}`,
  (text, random) => [...text].map((letter) => (random.chance(0.3) ? letter.toUpperCase() : letter)).join(''),
  (text) => text.replaceAll('javascript:', 'java\u0000script:'),
  (text) => text.replaceAll(' ', '\u000c'),
  (text) => text.replaceAll('<', '&lt;'),
  (text) => text.replaceAll('<', '\\<'),
  (text) => `**${text}**`,
  (text) => `# ${text}`,
  (text) => `1. ${text}`,
  (text) => `[${text}](${AWAY})`,
  (text) => `![${text}](${AWAY}.png)`,
  (text) => `${text}\u2028${text}`,
  (text) => text.slice(0, -1),
  (text, random) => {
    const at = random.int(1, Math.max(1, text.length - 1));
    return text.slice(0, at) + random.pick(['\n', '\t', '\u0000', '\ufeff', '/', '"']) + text.slice(at);
  },
  (text, random) => `${text} ${random.pick(PLAIN)}`,
];

/** Deterministic, distinct payloads. */
export function hostileTexts(count: number): readonly string[] {
  const random = createSeededRandom(500);
  const texts = new Set(PLAIN);
  while (texts.size < count) texts.add(random.pick(DISGUISES)(random.pick([...PLAIN]), random));
  return [...texts].slice(0, count);
}
