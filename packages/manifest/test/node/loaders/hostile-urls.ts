/** Internal addresses, at least one of each range. */
const INSIDE_V4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.1.2.3',
  '169.254.169.254',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];

const INSIDE_V6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '100::1',
  '64:ff9b:1::a00:1',
  '2001:db8::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  '4000::1',
  '2001:470:1f0b::5efe:a00:1',
  '2001:470:1f0b:0:200:5efe:7f00:1',
];

const octets = (ip: string): number[] => ip.split('.').map(Number);
const hex = (value: number, width = 0): string => value.toString(16).padStart(width, '0');

/** Other spellings of an IPv4 address that url parsers accept. */
function spellings(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = octets(ip);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    ip,
    `${ip}.`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
  ];
}

/** IPv6 addresses that embed an IPv4 address. */
function wrappings(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = octets(ip);
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  return [
    `::ffff:${ip}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `::${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b::${ip}`,
    `2002:${high}:${low}::1`,
  ];
}

/** Names that resolve to an internal address. */
const INSIDE_NAMES = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'metadata.google.internal',
  '127.0.0.1.nip.io',
  'printer.local',
  'router',
  'rebind.test',
  'xn--lcalhost-n4a.test',
];

const SCHEMES = [
  'http://public.test/',
  'HTTP://public.test/',
  'HTTPS://public.test/',
  'ftp://public.test/',
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'data:application/json,{}',
  'blob:https://public.test/id',
  'javascript:alert(1)',
  'gopher://public.test/_x',
  'ws://public.test/',
  'wss://public.test/',
  'ssh://public.test/',
  'jar:https://public.test!/a',
  'view-source:https://public.test/',
  '//public.test/a',
  'https:/public.test/',
  'https:public.test',
  'https:///public.test/',
  'https:\\\\public.test/',
  ' https://public.test/',
  'unix:///var/run/docker.sock',
  '',
];

const CREDENTIALS = [
  'https://user@public.test/',
  'https://user:secret@public.test/',
  'https://@public.test/',
  'https://:@public.test/',
  'https://:secret@public.test/',
  'https://public.test@127.0.0.1/',
  'https://public.test:443@127.0.0.1/',
  'https://public.test%40127.0.0.1/',
  'https://127.0.0.1#@public.test/',
  'https://127.0.0.1?@public.test/',
  'https://public.test&@127.0.0.1/',
  'https://a:b@public.test@127.0.0.1/',
];

const PORTS = [
  0, 1, 21, 22, 23, 25, 53, 80, 110, 143, 389, 445, 993, 2375, 3306, 5432, 6379, 8080, 8443, 9200, 11211,
  27017, 65535,
].map((port) => `https://public.test:${port}/`);

const MALFORMED = [
  'https://',
  'https:// public.test/',
  'https://public.test:port/',
  'https://public.test:99999/',
  'https://pub lic.test/',
  'https://public.test\t/',
  'https://public.test/\n',
  'https://public.test/\r\nhost: 127.0.0.1',
  'https://public.test\u0000.evil.test/',
  'https://public.test\\@127.0.0.1/',
  'https://127.0.0.1\\.public.test/',
  'https://①②⑦.⓪.⓪.①/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://ⓛocalhost/',
  'https://l\u00adocalhost/',
  'https://[::1/',
  'https://[::1%25lo]/',
  'https://[fe80::1%eth0]/',
  'https://[::ffff:127.0.0.1.]/',
  'https://[127.0.0.1]/',
  'https://256.256.256.256/',
  'https://127.0.0.0x/',
  'https://%31%32%37.0.0.1/',
  'https://%6c%6f%63%61%6c%68%6f%73%74/',
  'https://public.test%2e/',
  'https://public%2etest/',
  'https://public.test:/',
  'https://public.test:0443/',
  `https://public.test/${'a'.repeat(9_000)}`,
];

/** Urls that are refused for their syntax, whatever their names resolve to. */
export const MISWRITTEN_URLS: readonly string[] = [...SCHEMES, ...CREDENTIALS, ...PORTS, ...MALFORMED];

/** Urls that must never cause a connection. Every name in them resolves to an internal address. */
export const HOSTILE_URLS: readonly string[] = [
  ...INSIDE_V4.flatMap(spellings).map((host) => `https://${host}/actions.json`),
  ...INSIDE_V4.flatMap(wrappings).map((host) => `https://[${host}]/actions.json`),
  ...INSIDE_V6.map((host) => `https://[${host}]/actions.json`),
  ...INSIDE_NAMES.map((host) => `https://${host}/actions.json`),
  ...MISWRITTEN_URLS,
];

/** Answers of a hostile resolver: one internal address among public ones is enough to refuse. */
export const HOSTILE_ANSWERS: readonly (readonly string[])[] = [
  ...[...INSIDE_V4, ...INSIDE_V6, ...INSIDE_V4.flatMap(wrappings)].map((address) => [address]),
  ['93.184.216.34', '127.0.0.1'],
  ['127.0.0.1', '93.184.216.34'],
  ['2606:2800:220:1::1', '::1'],
  ['2606:2800:220:1::1%eth0'],
  [],
  [''],
  ['not an address'],
  ['93.184.216.34 '],
  ['0x5db8d822'],
  ['093.184.216.034'],
];
