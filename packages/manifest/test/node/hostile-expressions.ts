/** Expressions that attack the host's time, memory or isolation. */

const upTo = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

const RECURSION = [
  ...upTo(10, (n) => `($f := function($x) { $f($x + ${n}) }; $f(0))`),
  ...upTo(10, (n) => `($f := function($x) { ${n} + $f($x) }; $f(0))`),
  ...upTo(5, (n) => `($f := function($x) { $g($x) }; $g := function($x) { $f($x + ${n}) }; $f(0))`),
  ...upTo(5, (n) => `($f := function($x) { $map([1..${n + 1}], $f) }; $f(0))`),
  '($y := function($f) { $f($f) }; $y($y))',
  '($f := function($x) { [$f($x), $f($x)] }; $f(0))',
  '($f := function($x) { {"a": $f($x)} }; $f(0))',
  '($f := function($x) { $filter([1, 2], $f) }; $f(0))',
  '($f := function($x) { $reduce([1, 2, 3], function($a, $b) { $f($a) }) }; $f(0))',
  '($f := function($x) { $sort([2, 1], function($a, $b) { $f($a) }) }; $f(0))',
  '($f := function($x) { $each({"a": 1}, function($v) { $f($v) }) }; $f(0))',
  '($f := function($x) { $sift({"a": 1}, function($v) { $f($v) }) }; $f(0))',
  '($f := function($x) { $replace("a", /a/, function($m) { $f($m) }) }; $f(0))',
  '($f := function($x) { $x ~> $f }; $f(0))',
  '($f := function($x) { $x.$f($) }; $f({"a": 1}))',
];

const RANGES = [
  ...upTo(10, (n) => `[1..${n}000001]`),
  ...upTo(5, (n) => `[-${n}000000..${n}000000]`),
  ...upTo(5, (n) => `$count([1..${n}0000000])`),
  '[1..1000].[1..1000].[1..1000]',
  '[1..1000].([1..1000].([1..1000]))',
  '$map([1..1000000], function($x) { [1..1000] })',
  '$sum([1..100000].[1..100000])',
  '[[1..999999], [1..999999], [1..999999], [1..999999]]',
];

const DOUBLED_TEXT = '$reduce([1..40], function($a, $b) { $a & $a }, "x")';
const TEXTS = [
  DOUBLED_TEXT,
  ...['$length', '$uppercase', '$trim', '$base64encode', '$encodeUrl', '$string'].map(
    (f) => `${f}(${DOUBLED_TEXT})`,
  ),
  ...upTo(10, (n) => `$pad("x", ${n}00000000)`),
  ...upTo(5, (n) => `$pad("x", -${n}0000000, "ab")`),
  ...upTo(5, (n) => `$replace($pad("a", ${n}000, "a"), "a", $pad("b", 900000, "b"))`),
  ...upTo(5, (n) => `$replace($pad("a", ${n}000, "a"), /a/, $pad("b", 90000, "b"))`),
  '$replace($pad("a", 1000, "a"), /(a+)/, $join($map([1..9999], function() { "$0$1" })))',
  '$join($map([1..5000], function() { $pad("x", 9000) }), $pad("-", 9000))',
  '$encodeUrlComponent($encodeUrlComponent($encodeUrlComponent($pad("é", 90000, "é"))))',
  ...upTo(5, (n) => `$fromMillis(0, "[Y,${n}0000000]")`),
  ...upTo(5, (n) => `$formatInteger(${n}e15, "I")`),
];

const SHARED = '$reduce([1..40], function($a, $b) { {"l": $a, "r": $a} }, [1])';
const SHARED_LISTS = '$reduce([1..40], function($a, $b) { [[$a], [$a]] }, [1])';
const LISTS = [
  '$reduce([1..40], function($a, $b) { $append($a, $a) }, [1])',
  '$reduce([1..40], $append(?, [1..900000]))',
  '$reduce([1..40], function($a, $b) { $zip($a, $a) }, [1..300000])',
  ...[SHARED, SHARED_LISTS].flatMap((bomb) => [
    bomb,
    `$string(${bomb})`,
    `(${bomb}).**`,
    `(${bomb}).*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*`,
    `$clone(${bomb})`,
    `${bomb} ~> |$|{}|`,
    `(${bomb}) = (${bomb})`,
    `$distinct([${bomb}, ${bomb}])`,
    `{${bomb}: 1}`,
    `$error(${bomb})`,
  ]),
  '$sort([1..999999], function($a, $b) { $a < $b })',
  '$distinct([1..500000])',
  '$shuffle([1..999999])',
  '$reverse($sort($reverse([1..999999])))',
  '$filter([1..999999], function($x) { $x > 5 })',
  '[1..999999]{$string($): $}',
  '$merge([1..999999].{$string($): $})',
  '$spread($merge([1..999999].{$string($): $}))',
  '[1..999999]^(>$)',
  '[1..999999][$ > 5]',
];

const OUTPUTS = [
  ...upTo(10, (n) => `[1..${n}0000]`),
  ...upTo(10, (n) => `$pad("x", ${16_000 + n * 1000})`),
  ...upTo(5, (n) => `$map([1..${n}00], function($i) { $pad("x", 200) })`),
  '{"a": $pad("ü", 9000, "ü")}',
];

const NESTED = [
  ...upTo(5, (n) => `${'('.repeat((n + 2) * 1500)}1${')'.repeat((n + 2) * 1500)}`),
  ...upTo(5, (n) => `${'['.repeat(n * 1500)}1${']'.repeat(n * 1500)}`),
  ...upTo(5, (n) => `${'{"a":'.repeat(n * 600)}1${'}'.repeat(n * 600)}`),
  `1${'+1'.repeat(7900)}`,
  `${'$not('.repeat(5000)}1${')'.repeat(5000)}`,
  'x'.repeat(16_001),
];

const PATTERNS = [
  ...['(a+)\\\\1+$', '^(?=(a+))*b', '(?!a)*', '(?<=a+)b', '(?<!a)b', '(a)\\\\1', '((a)\\\\2)+'].map(
    (pattern) => `$match("aaaa", /${pattern.replaceAll('\\\\', '\\')}/)`,
  ),
  ...upTo(5, (n) => `$match("a", /(a{${n}00}){${n}00}/)`),
  ...upTo(5, (n) => `$match("a", /${'('.repeat((n + 3) * 300)}a${')*'.repeat((n + 3) * 300)}b/)`),
  ...upTo(5, (n) => `[1..999999].$match("aaaaaaaaaaaaaaaa!", /(a*)*${n}/)`),
  '$toMillis($pad("one", 60000, "one"), "[Yw][Mw][Dw][Hw][mw][sw]!")',
];

const BANNED = ['eval', 'random', 'now', 'millis'].flatMap((name) => [
  `$${name}("1")`,
  `($f := $${name}; $f("1"))`,
  `$map(["1"], $${name})`,
  `"1" ~> $${name}`,
  `($${name} ~> $string)("1")`,
  `function($f) { $f("1") }($${name})`,
]);

/** Each must end in a coded error. */
export const BOMBS = [
  ...RECURSION,
  ...RANGES,
  ...TEXTS,
  ...LISTS,
  ...OUTPUTS,
  ...NESTED,
  ...PATTERNS,
  ...BANNED,
];

const LAMBDA = '(function($x) { $x })';

/** Each tries to reach a constructor, a prototype or the evaluator's internals. */
export const ESCAPES = [
  ...['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'].flatMap(
    (name) => [
      `"".${name}`,
      `(1).${name}`,
      `[].${name}`,
      `{}.${name}`,
      `$.${name}`,
      `$lookup({}, "${name}")`,
      `$lookup([{}], "${name}")`,
      `$sum.${name}`,
      `${LAMBDA}.${name}`,
      `/a/("a").next.${name}`,
      `$${name}`,
      `$${name}("return 1")`,
      `{}.${name}.${name}("return 1")()`,
    ],
  ),
  ...['environment', 'body', 'input', 'implementation', 'signature', 'apply'].flatMap((name) => [
    `${LAMBDA}.${name}`,
    `$sum.${name}`,
    `$lookup(${LAMBDA}, "${name}")`,
    `${LAMBDA}.**.${name}`,
    `[${LAMBDA}].**.${name}`,
    `{"f": ${LAMBDA}}.**.${name}`,
    `$map([${LAMBDA}], function($f) { $f.${name} })`,
    `(${LAMBDA} ~> $sum).${name}`,
    `$sum(?).${name}`,
  ]),
  `${LAMBDA}.**.lookup("eval")`,
  `${LAMBDA}.**.bind("sum", 1)`,
  `$keys(${LAMBDA})`,
  `$spread(${LAMBDA})`,
  `$merge([${LAMBDA}])`,
  `$string(${LAMBDA})`,
  '$ ~> |$sum|{"implementation": 1, "_x": 2}|',
  '$ ~> |$sum|{}, ["implementation", "signature"]|',
  '$ ~> |[$sum, $count]|{"signature": null}|',
  `$ ~> |${LAMBDA}|{"body": {"type": "variable", "value": "eval"}}|`,
  '$ ~> |$|{"__proto__": {"polluted": 1}}|',
  '{"__proto__": {"polluted": 1}}.polluted',
  '$merge([{"__proto__": {"polluted": 1}}]).polluted',
  '{"constructor": {"prototype": {"polluted": 1}}}.x',
  'fake("1")',
  'fake(?)',
  'fake(?)("1")',
  '$map(["1"], fake)',
  'process',
  '$process',
  '$globalThis',
  '$require("fs")',
  '$import("fs")',
  '$fetch("http://127.0.0.1/")',
];

/** Data that imitates a function of the evaluator, with the attacker's body. */
export const HOSTILE_INPUT = {
  fake: {
    _jsonata_lambda: true,
    arguments: [{ type: 'variable', value: 'x' }],
    body: { type: 'function', procedure: { type: 'variable', value: 'now' }, arguments: [] },
  },
};
