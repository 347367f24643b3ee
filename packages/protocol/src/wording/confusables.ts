/**
 * Letters that look like a Latin one, by that letter. Generated from Unicode 15.0: every letter whose
 * prototype is one Latin letter without marks, except those that NFKD folds (full-width, mathematical,
 * circled).
 * https://www.unicode.org/Public/security/15.0.0/confusables.txt
 */
export const CONFUSABLES: Readonly<Record<string, string>> = {
  a: 'ɑΑαАаᎪᗅꓮ𐊠𖽀',
  b: 'ƀƂƃƄɓΒБВЬѢѣҌҍᏏᏴᑲᑳᖯᗷꓐꞴ𐊂𐊡𐌁',
  c: 'ȼСсҪҫᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣲',
  d: 'ÐĐđƉƌɖɗԁᎠᏧᑯᗞᗪꓒꓓ',
  e: 'ɆɇΕЕеҽҿᎬⴹꓰꬲ𐊆𑢦𑢮',
  f: 'ƑƒϜքᖴᵮẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂',
  g: 'ƍǤǥɠɡԌցᏀᏳᶃꓖ',
  h: 'ĦħɦΗНћҢһӇӉհᎻᏂᏲᕼⱧⲎꓧꚕ𐋏',
  i: 'ıƖƗɨɩɪΙιІіӀӏᎥᵻᵼⲒꙇꭵ𑣃',
  j: 'ɈɉͿϳЈјᎫᒍꓙꞲ',
  k: 'ƙΚКҚҞᏦᛕⱩⲔꓗꝀ𐔘',
  l: 'ŁłƚǀɫɭוןاٳߊᏞᒪᛁⳐⵏꓡꓲ𐊊𐌉𐌠𐐛𐔦𑢣𑢲𖼖𖼨𞣇',
  m: 'ɱΜϺМӍᎷᗰᛖᵯⲘꓟ𐊰𐌑𑜀',
  n: 'ƝƞɳΝηոռᵰⲚꓠ𐔓',
  o: 'ØøƟɵΘΟθοσОоѲѳӨөՕօסهھہەۿଠഠဝჿዐᎾᏫᴏᴑⲞⲟⴱⵁⵔ〇ꓳꝊꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑢵𑣈𑣗',
  p: 'ƥΡρРрᏢᑭᵽⲢⲣꓑ𐊕',
  q: 'ʠԛգզⵕ',
  r: 'ƦɍɼɽгғᎡᏒᖇᴦᵲⲅꓣꭇꭈꮁ𐒴𖼵',
  s: 'ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺',
  t: 'ŦŧƭƮȾΤТҬᎢᵵⲦꓔ𐊗𐊱𐌕𑢼𖼊',
  u: 'ɄʋυՍսሀᏌᑌᴜᵾꓴꞟꭎꭒꮜ𐓎𐓶𑢸𑣘𖽂',
  v: 'νѴѵטᏙᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈',
  w: 'ɯѡѽԜԝաᎳᏔᴡꓪꝡꮃ𑓅𑜊𑜎𑜏𑣯',
  x: 'ΧХхҲᕁᕽᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬',
  y: 'ƴɎɏɣʏΥγУуҮүҰұყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃',
  z: 'ƵƶȤȥʐΖᏃᴢᵶꓜꮓ𐋵𑢩𑣄',
};

/** Letters outside Unicode's table that browsers' fonts draw alike, or that are used to hide a word. */
export const ALIKE: Readonly<Record<string, string>> = {
  a: '⍺ꭺᴀ',
  b: 'ʙƅьᏼвβ',
  c: 'ϲᑕℭ',
  d: 'ᴅ',
  e: 'єℯε℮ᴇ',
  f: 'ϝꜰ',
  g: 'ɢ',
  h: 'нʜ',
  i: '¡',
  j: 'ʝյᴊ',
  k: 'кκⲕᴋ',
  l: 'ʟⅼ∣│┃│',
  m: 'мᴍⅿ',
  n: 'пᴎŋɴ',
  o: '໐๐০०੦૦௦౦೦൦',
  p: 'ϱ⍴ᴘ',
  q: 'ꞯ',
  r: 'ʀ',
  t: 'тτᴛꭲ',
  v: 'ⅴ',
  w: 'ωшщ',
  x: 'χ×ⅹ',
  y: 'ʏ',
};

/** Digits and signs that replace a letter among letters: `De1ete`, `P@y`. */
export const STAND_INS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '@': 'a',
  $: 's',
  '|': 'l',
  '!': 'i',
};
