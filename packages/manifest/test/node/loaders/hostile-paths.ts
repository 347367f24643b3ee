const UP = [1, 2, 3, 5, 8];
const SECRETS = ['secret.json', 'outside/secret.json', 'etc/passwd'];

/** Spellings of "the parent folder". */
const CLIMBS = [
  '../',
  '..\\',
  './../',
  '.././',
  'maps/../../',
  'maps/./../../',
  '..//',
  '....//',
  '..;/',
  '.. /',
  '. ./',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '%252e%252e%252f',
  '..%c0%af',
  '..\u2215',
  '\uff0e\uff0e/',
  '..\u0000/',
];

const ABSOLUTE = [
  '/etc/passwd',
  '//etc/passwd',
  '///etc/passwd',
  '/./etc/passwd',
  '~/secret.json',
  '~root/secret.json',
  'file:///etc/passwd',
  'file:/etc/passwd',
  'FILE:///etc/passwd',
  'https://evil.test/a.json',
  '\\etc\\passwd',
  '\\\\server\\share\\a.json',
  '//server/share/a.json',
  '\\\\?\\C:\\a.json',
  '\\\\.\\PhysicalDrive0',
  '//?/C:/a.json',
  'C:\\a.json',
  'C:/a.json',
  'C:a.json',
  'c:',
  'D:..\\a.json',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '/dev/zero',
];

const DEVICES = [
  'con',
  'PRN',
  'aux',
  'NUL',
  'nul.json',
  'com1',
  'COM9.txt',
  'lpt1',
  'LPT9.json',
  'CONIN$',
  'com¹',
];

const ODD = [
  '',
  '.',
  '..',
  './',
  '../',
  '/',
  '//',
  ' ',
  '\t',
  '\u0000',
  'good.json\u0000',
  'good.json\u0000.txt',
  '\u0000good.json',
  'good.json\n',
  'good\r.json',
  'good.json\u007f',
  'good.json\u0085',
  'good.json.',
  'good.json ',
  'good.json::$DATA',
  'good.json:stream',
  'maps:stream/good.json',
  'maps//good.json',
  'maps/',
  'maps',
  'maps/.',
  'maps/..',
  'maps./good.json',
  'maps /good.json',
  'maps\\good.json',
  'a'.repeat(1_025),
  'a/'.repeat(600),
  'nothing-here.json',
];

/**
 * Links that the test creates: out of the root, to a folder outside, in a cycle, and through another link.
 */
const LINKS = [
  'link.json',
  'linked/secret.json',
  'linked/../link.json',
  'ring.json',
  'chain.json',
  'maps/up.json',
  'dangling.json',
];

export const HOSTILE_PATHS: readonly string[] = [
  ...CLIMBS.flatMap((climb) =>
    UP.flatMap((times) => SECRETS.slice(0, 2).map((secret) => climb.repeat(times) + secret)),
  ),
  ...CLIMBS.map((climb) => `maps/${climb.repeat(9)}${SECRETS[2]}`),
  ...ABSOLUTE,
  ...DEVICES.flatMap((device) => [device, `maps/${device}`]),
  ...ODD,
  ...LINKS,
];
