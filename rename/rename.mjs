// Applies the names of WORDS to the sources: once, and then this folder goes.
// Needs ts-morph and picomatch beside it (npm i --prefix rename ts-morph picomatch), and python3 compile.py first.
// Short form of tables/*.txt: S symbol, N symbol inside a function, P Container.member, L locals, Y locals of a type,
// B property and locals, F file, D folder, T text, C text in prose. 95-library changes names that the npm package exports.
//   node rename.mjs ROOT [--table GLOB-WORD …] [--dry] [--no-format]
// Order: symbols, locals and properties (one program, all edits at once), then text, then files and folders.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import picomatch from 'picomatch';
import { listFiles, load, ts } from './load.mjs';

const args = process.argv.slice(2);
const root = args.shift();
const dry = args.includes('--dry');
const only = args.filter((a) => !a.startsWith('--'));
const here = import.meta.dirname;
const seconds = () => (performance.now() / 1000).toFixed(0) + ' s';

// ---------------------------------------------------------------- table
const entries = [];
const tableDir = process.env.TABLE ?? join(here, 'table');
for (const name of readdirSync(tableDir).filter((n) => n.endsWith('.jsonl')).sort()) {
  if (only.length ? !only.some((o) => name.startsWith(o)) : name.startsWith('95')) continue;
  readFileSync(join(tableDir, name), 'utf8').split('\n').forEach((line, i) => {
    if (!line.trim() || line.startsWith('//')) return;
    try {
      entries.push({ ...JSON.parse(line), at: `${name}:${i + 1}` });
    } catch (error) {
      console.error(`${name}:${i + 1}: ${error.message}`);
      process.exit(2);
    }
  });
}
const report = { done: [], already: [], nothing: [], ambiguous: [], collision: [], wire: [] };
const say = (kind, e, why = '') => report[kind].push(`${e.at} ${e.kind} ${e.file ?? e.from ?? (e.globs ?? []).join(',')} ${e.in ? `${e.in}.` : ''}${e.name ?? e.find ?? ''} → ${e.to} ${why}`);

// ---------------------------------------------------------------- moves (computed first: entries may name old or new paths)
const files = listFiles(root);
const fileSet = new Set(files);
const moves = new Map();
const moved = (f) => {
  for (const e of entries) if (e.kind === 'file' && e.from === f) return e.to;
  let best;
  for (const e of entries) if (e.kind === 'folder' && f.startsWith(`${e.from}/`) && (!best || e.from.length > best.from.length)) best = e;
  return best ? best.to + f.slice(best.from.length) : f;
};
for (const e of entries.filter((x) => x.kind === 'file' || x.kind === 'folder')) {
  const hit = e.kind === 'file' ? fileSet.has(e.from) : files.some((f) => f.startsWith(`${e.from}/`));
  const there = e.kind === 'file' ? fileSet.has(e.to) : files.some((f) => f.startsWith(`${e.to}/`));
  // `into` marks a folder that merges into one that is there already.
  if (hit && there && e.kind === 'file') say('collision', e, 'target exists');
  else if (hit) say('done', e);
  else say(there ? 'already' : 'nothing', e);
}
for (const f of files) {
  const to = moved(f);
  if (to !== f && !fileSet.has(to)) moves.set(f, to);
}

// ---------------------------------------------------------------- symbols
const semantic = entries.filter((e) => ['symbol', 'locals', 'property'].includes(e.kind));
const splits = [];
const texts = new Map(); // repo path -> new text
const current = (f) => texts.get(f) ?? readFileSync(join(root, f), 'utf8');

if (semantic.length) {
  const { service } = load(root);
  const program = service.getProgram();
  const checker = program.getTypeChecker();
  console.log(`program ready (${seconds()})`);
  const rel = (abs) => abs.slice(root.length + 1);
  const sources = files.filter((f) => /\.(ts|tsx)$/.test(f));
  const matching = (glob) => {
    const tryOne = (g) => (/[*{]/.test(g) ? sources.filter(((m) => (f) => m(f))(picomatch(g))) : sources.includes(g) ? [g] : []);
    const direct = tryOne(glob);
    if (direct.length) return direct;
    const after = moved(glob);
    return after !== glob ? tryOne(after) : [];
  };

  // declarations by file
  const declared = new Map();
  const propertyLike = (n) => ts.isPropertySignature(n) || ts.isMethodSignature(n) || ts.isPropertyDeclaration(n) || ts.isMethodDeclaration(n) || ts.isGetAccessor(n) || ts.isPropertyAssignment(n) || ts.isShorthandPropertyAssignment(n);
  const typeish = (n) => ts.isPropertySignature(n) || ts.isMethodSignature(n) || ts.isPropertyDeclaration(n) || ts.isMethodDeclaration(n) || ts.isGetAccessor(n);
  const declarations = (f) => {
    if (declared.has(f)) return declared.get(f);
    const list = [];
    const sf = program.getSourceFile(join(root, f));
    const containers = [];
    const visit = (n) => {
      const id = n.name && (ts.isIdentifier(n.name) || ts.isPrivateIdentifier?.(n.name)) ? n.name : undefined;
      const named = id && (ts.isFunctionDeclaration(n) || ts.isClassDeclaration(n) || ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isVariableDeclaration(n) || ts.isFunctionExpression(n));
      const local = id && (ts.isParameter(n) || ts.isBindingElement(n));
      const prop = id && propertyLike(n);
      if (named || local) list.push({ what: local || containers.length ? 'local' : 'top', name: id.text, id, node: n, path: [...containers] });
      else if (prop) list.push({ what: 'property', name: id.text, id, node: n, path: [...containers], type: typeish(n) });
      else if (id && ts.isImportSpecifier(n)) list.push({ what: 'import', name: id.text, id, node: n, path: [] });
      if (id && (named || ts.isMethodSignature(n) || ts.isPropertySignature(n) || ts.isMethodDeclaration(n) || ts.isPropertyAssignment(n))) {
        containers.push(id.text);
        ts.forEachChild(n, visit);
        containers.pop();
      } else ts.forEachChild(n, visit);
    };
    ts.forEachChild(sf, visit);
    declared.set(f, list);
    return list;
  };

  const edits = new Map(); // file -> Map(start -> {start, length, to, prefix?, suffix?})
  const seen = new Set();
  const wireFile = (f) => /^packages\/protocol\/src\/(bridge|chat|interact|tasks|pusher|manifest|generated)\//.test(f) || /\/generated\//.test(f) || f.includes('node_modules/');
  const FIND = { providePrefixAndSuffixTextForRename: true };

  function locationsOf(file, start) {
    return service.findRenameLocations(join(root, file), start, false, false, FIND) ?? [];
  }

  // every place of the property that a shorthand declares: found through one of its uses
  function propertyOf(file, node) {
    const symbol = checker.getTypeAtLocation(node.parent.parent)?.getProperty(node.text);
    const out = [];
    if (!symbol) return out;
    // The language service starts at a use: `x.name` or a binding element; references of the shorthand list both.
    const refs = service.findReferences(join(root, file), node.getStart()) ?? [];
    for (const { references } of refs) for (const r of references) {
      const f = rel(r.fileName);
      const n = tokenAt(f, r.textSpan.start);
      const p = n.parent;
      const access = ts.isPropertyAccessExpression(p) && p.name === n;
      const bound = ts.isBindingElement(p) && ts.isObjectBindingPattern(p.parent) && (p.propertyName === n || (!p.propertyName && p.name === n));
      const short = ts.isShorthandPropertyAssignment(p);
      if (!access && !bound && !short) continue;
      const type = access ? checker.getTypeAtLocation(p.expression) : bound ? checker.getTypeAtLocation(p.parent) : checker.getTypeAtLocation(p.parent);
      const prop = type?.getProperty(node.text);
      if (!prop?.declarations?.some((d) => d === node.parent)) continue;
      out.push({ f, start: r.textSpan.start, length: r.textSpan.length, suffix: bound && !p.propertyName || short ? ':' : undefined, node: n });
    }
    return out;
  }

  function tokenAt(file, pos) {
    const sf = program.getSourceFile(join(root, file));
    let found = sf;
    const go = (n) => {
      if (pos >= n.getStart(sf) && pos < n.getEnd()) {
        found = n;
        ts.forEachChild(n, go);
      }
    };
    ts.forEachChild(sf, go);
    return found;
  }

  const carried = new Set();
  const isBound = (name, node) => {
    const hit = checker.resolveName(name, node, ts.SymbolFlags.Value | ts.SymbolFlags.Type, true);
    return Boolean(hit?.declarations?.length) && !hit.declarations.every((d) => pendingNames.has(d.name));
  };

  function carryLocal(e, node, mine) {
    const p = node.parent;
    if (!ts.isBindingElement(p) && !ts.isShorthandPropertyAssignment(p)) return;
    const value = ts.isShorthandPropertyAssignment(p) ? checker.getShorthandAssignmentValueSymbol(p) : checker.getSymbolAtLocation(node);
    const declaration = value?.declarations?.[0];
    const own = declaration && (ts.isBindingElement(declaration) || ts.isParameter(declaration) || ((ts.isVariableDeclaration(declaration) || ts.isFunctionDeclaration(declaration)) && !exportedDecl(declaration)));
    if (!own || !ts.isIdentifier(declaration.name)) return;
    const df = rel(declaration.getSourceFile().fileName);
    const key = `${df}:${declaration.name.getStart()}`;
    if (carried.has(key) || isBound(e.to, declaration.name)) return;
    carried.add(key);
    const nodes = locationsOf(df, declaration.name.getStart()).map((u) => ({ u, uf: rel(u.fileName), n: tokenAt(rel(u.fileName), u.textSpan.start) }));
    if (nodes.some(({ n }) => isBound(e.to, n))) return;
    for (const { u, uf, n } of nodes) mine.push({ f: uf, start: u.textSpan.start, length: u.textSpan.length, prefix: u.prefixText, node: n, isValue: true });
  }

  function collect(e, file, id) {
    const old = id.text;
    const queue = [[file, id.getStart()]];
    const mine = [];
    const visited = new Set();
    // at a shorthand the language service renames the local only
    if (e.kind === 'property' && ts.isShorthandPropertyAssignment(id.parent)) {
      queue.length = 0;
      for (const more of propertyOf(file, id)) {
        mine.push(more);
        if (more.suffix) carryLocal(e, more.node, mine);
      }
    }
    while (queue.length) {
      const [f, start] = queue.pop();
      if (visited.has(`${f}:${start}`)) continue;
      visited.add(`${f}:${start}`);
      for (const loc of locationsOf(f, start)) {
        const lf = rel(loc.fileName);
        if (lf.includes('node_modules/') || lf.startsWith('..')) return say('wire', e, `touches ${lf}`);
        const node = tokenAt(lf, loc.textSpan.start);
        let { prefixText: prefix, suffixText: suffix } = loc;
        if (ts.isExportSpecifier(node.parent) || ts.isImportSpecifier(node.parent)) {
          if (!node.parent.propertyName && (prefix || suffix)) queue.push([lf, loc.textSpan.start]);
          prefix = suffix = undefined;
        }
        // a property takes along the local that a binding or a shorthand names like it, where the new name is free
        if (e.kind === 'property' && suffix) carryLocal(e, node, mine);
        // a local in an object whose type is inferred: the property goes with it
        if (e.kind !== 'property' && prefix && ts.isShorthandPropertyAssignment(node.parent) && ts.isObjectLiteralExpression(node.parent.parent) && checker.getContextualType(node.parent.parent)?.getProperty(old) === undefined) {
          for (const more of propertyOf(lf, node)) {
            mine.push(more);
            if (more.suffix) carryLocal(e, more.node, mine);
          }
        }
        if (wireFile(lf) && !e.wire) return say('wire', e, `touches ${lf}`);
        if (ts.isStringLiteralLike(node)) { mine.push({ f: lf, start: loc.textSpan.start, length: loc.textSpan.length, prefix, suffix, node }); continue; }
        mine.push({ f: lf, start: loc.textSpan.start, length: loc.textSpan.length, prefix, suffix, node });
      }
    }
    if (!mine.length) return say('nothing', e, `in ${file}: cannot be renamed`);
    // collisions: the new name is bound already where an old one stands
    if (e.kind !== 'property') {
      for (const m of mine) {
        if (!ts.isIdentifier(m.node)) continue;
        const p = m.node.parent;
        if (ts.isPropertyAccessExpression(p) && p.name === m.node) continue;
        const hit = checker.resolveName(e.to, m.node, ts.SymbolFlags.Value | ts.SymbolFlags.Type, true);
        if (hit && hit.declarations?.length) {
          const renamedToo = hit.declarations.every((d) => pendingNames.has(d.name));
          if (!renamedToo) return say('collision', e, `${e.to} is bound at ${m.f}:${lineOf(m.f, m.start)}`);
        }
      }
    } else {
      const symbol = checker.getSymbolAtLocation(id);
      const parent = symbol?.parent;
      if (parent?.members?.has(e.to)) return say('collision', e, `${parent.name}.${e.to} exists`);
    }
    for (const m of mine) {
      const byStart = edits.get(m.f) ?? edits.set(m.f, new Map()).get(m.f);
      const have = byStart.get(m.start);
      const piece = { start: m.start, length: m.length, old, node: m.node, e };
      if (have && m.isValue && have.value === undefined && have.plain !== undefined && have.plain !== e.to) continue;
      if (m.suffix) piece.property = e.to;
      else if (m.prefix) piece.value = e.to;
      else piece.plain = e.to;
      if (!have) byStart.set(m.start, piece);
      else {
        for (const key of ['property', 'value', 'plain']) {
          if (piece[key] === undefined) continue;
          if (have[key] !== undefined && have[key] !== piece[key] && m.isValue) continue;
          if (have[key] !== undefined && have[key] !== piece[key]) return say('ambiguous', e, `${m.f}:${lineOf(m.f, m.start)} already becomes ${have[key]} (${have.e.at})`);
          have[key] = piece[key];
        }
      }
    }
    return 'done';
  }
  const lineOf = (f, pos) => program.getSourceFile(join(root, f)).getLineAndCharacterOfPosition(pos).line + 1;

  const isTypedElsewhere = (d) => {
    const object = d.node.parent;
    if (!ts.isObjectLiteralExpression(object)) return false;
    const type = checker.getContextualType(object);
    return Boolean(type?.getProperty(d.name)?.declarations?.some((x) => x !== d.node)) || Boolean(type?.getStringIndexType());
  };

  // pass 1: targets
  const pendingNames = new Set();
  const jobs = [];
  for (const e of semantic) {
    const where = matching(e.file);
    const fitsType = (d) => !e.type || checker.typeToString(checker.getTypeAtLocation(d.id)) === e.type;
    const inPath = (d) => !e.in || e.in === '*' || e.in.split('.').every((part, i, all) => d.path.slice(-all.length)[i] === part) || d.path.includes(e.in);
    const pick = (f) => declarations(f).filter((d) => d.name === e.name && inPath(d) && fitsType(d) && (e.kind === 'symbol' ? (e.in ? d.what !== 'property' && d.what !== 'import' : d.what === 'top') : e.kind === 'locals' ? d.what === 'local' || (d.what === 'top' && !exportedDecl(d.node)) : d.what === 'property'));
    let found = where.flatMap((f) => pick(f).map((d) => ({ f, d })));
    if (e.kind === 'property') {
      const typed = found.filter((x) => x.d.type);
      if (typed.length) found = e.in === '*' ? [...typed, ...found.filter((x) => !x.d.type)] : typed;
    }
    const isThere = where.some((f) => declarations(f).some((d) => d.name === e.to));
    if (!found.length && e.kind === 'symbol' && !isThere) {
      const nested = where.flatMap((f) => declarations(f).filter((d) => d.name === e.name && (d.what === 'local' || d.what === 'top')).map((d) => ({ f, d })));
      if (nested.length === 1) found = nested;
    }
    if (!found.length && e.kind === 'symbol' && !e.in && !where.length) {
      const pkg = e.file.split('/').slice(0, 2).join('/');
      const elsewhere = sources.filter((f) => f.startsWith(`${pkg}/`)).flatMap((f) => pick(f).map((d) => ({ f, d })));
      if (elsewhere.length === 1) found = elsewhere;
    }
    if (!found.length) {
      const after = where.some((f) => declarations(f).some((d) => d.name === e.to));
      say(after ? 'already' : 'nothing', e, where.length ? '' : '(no such file)');
      continue;
    }
    if (e.kind === 'symbol' && !e.in && found.length > 1 && !/[*{]/.test(e.file)) {
      const symbols = new Set(found.map((x) => checker.getSymbolAtLocation(x.d.id)));
      if (symbols.size > 1) { say('ambiguous', e, found.map((x) => `${x.f}:${lineOf(x.f, x.d.id.getStart())}`).join(' ')); continue; }
    }
    jobs.push({ e, found });
    for (const x of found) pendingNames.add(x.d.id);
  }
  console.log(`${jobs.length} entries have targets (${seconds()})`);
  const late = [];
  for (const { e, found } of jobs) {
    let any;
    const byKey = new Set();
    for (const { f, d } of found) {
      const key = `${f}:${d.id.getStart()}`;
      if (byKey.has(key)) continue;
      const placed = edits.get(f)?.get(d.id.getStart());
      if (placed && [placed.plain, e.kind === 'property' ? placed.property : placed.value].includes(e.to)) { any = 'done'; continue; }
      byKey.add(key);
      if (e.kind === 'locals' && ts.isBindingElement(d.node) && !d.node.propertyName && ts.isObjectBindingPattern(d.node.parent)) { late.push({ e, f, d }); any ??= 'done'; continue; }
      if (placed && /[*{]/.test(e.file) && (e.kind === 'property' ? placed.property ?? placed.plain : placed.value ?? placed.plain) !== undefined) { any ??= 'done'; continue; }
      if (e.kind === 'property' && e.in === '*' && !d.type && isTypedElsewhere(d)) { any ??= 'done'; continue; }
      if (collect(e, f, d.id) === 'done') any = 'done';
    }
    if (any) say('done', e, `(${found.length})`);
  }
  console.log(`locations found (${seconds()})`);

  // names of renamed properties in Pick, Omit and the like
  const renamedAt = new Map();
  for (const [f, byStart] of edits) for (const x of byStart.values()) if ((x.plain ?? x.property) !== undefined) renamedAt.set(`${f}:${x.start}`, x);
  for (const f of sources) {
    if (!/\b(Pick|Omit)</.test(current(f))) continue;
    const sf = program.getSourceFile(join(root, f));
    const visit = (n) => {
      if ((ts.isTypeReferenceNode(n) || ts.isExpressionWithTypeArguments(n)) && n.typeArguments?.length === 2 && /^(Pick|Omit)$/.test((n.typeName ?? n.expression).getText(sf))) {
        const type = checker.getTypeFromTypeNode(n.typeArguments[0]);
        const keys = ts.isUnionTypeNode(n.typeArguments[1]) ? n.typeArguments[1].types : [n.typeArguments[1]];
        for (const k of keys) {
          if (!ts.isLiteralTypeNode(k) || !ts.isStringLiteral(k.literal)) continue;
          for (const d of type.getProperty(k.literal.text)?.declarations ?? []) {
            const at = d.name && renamedAt.get(`${rel(d.getSourceFile().fileName)}:${d.name.getStart()}`);
            if (!at) continue;
            const start = k.literal.getStart(sf) + 1;
            const byStart = edits.get(f) ?? edits.set(f, new Map()).get(f);
            if (!byStart.has(start)) byStart.set(start, { start, length: k.literal.text.length, old: k.literal.text, node: k.literal, e: at.e, plain: at.property ?? at.plain });
          }
        }
      }
      ts.forEachChild(n, visit);
    };
    ts.forEachChild(sf, visit);
  }

  // object literals whose expected type was renamed but which the language service does not connect with it
  const renamedNames = new Set([...renamedAt.values()].map((x) => x.old));
  for (const f of sources) {
    const sf = program.getSourceFile(join(root, f));
    const visit = (n) => {
      if (ts.isObjectLiteralExpression(n)) {
        for (const p of n.properties) {
          if (!p.name || !ts.isIdentifier(p.name) || !renamedNames.has(p.name.text)) continue;
          const start = p.name.getStart(sf);
          const have = edits.get(f)?.get(start);
          const short = ts.isShorthandPropertyAssignment(p);
          if (have && (!short || have.property !== undefined)) continue;
          for (const d of checker.getContextualType(n)?.getProperty(p.name.text)?.declarations ?? []) {
            const at = d.name && d !== p && renamedAt.get(`${rel(d.getSourceFile().fileName)}:${d.name.getStart()}`);
            if (!at || at.e.kind !== 'property') continue;
            const to = at.property ?? at.plain;
            const byStart = edits.get(f) ?? edits.set(f, new Map()).get(f);
            const piece = have ?? { start, length: p.name.text.length, old: p.name.text, node: p.name, e: at.e };
            if (short) {
              if (have?.plain !== undefined && have.value === undefined) { piece.value = have.plain; delete piece.plain; }
              piece.property = to;
            } else piece.plain = to;
            byStart.set(start, piece);
            break;
          }
        }
      }
      ts.forEachChild(n, visit);
    };
    ts.forEachChild(sf, visit);
  }

  // pass 2: apply
  for (const [f, byStart] of edits) {
    let text = current(f);
    const finalText = (node) => {
      const x = byStart.get(node.getStart());
      return x ? (x.plain ?? x.property ?? x.value) : node.text;
    };
    for (const x of [...byStart.values()].sort((a, b) => b.start - a.start)) {
      let out;
      const p = x.node.parent;
      const shorthand = ts.isShorthandPropertyAssignment(p) || (ts.isBindingElement(p) && !p.propertyName && ts.isObjectBindingPattern(p.parent));
      if (x.property !== undefined || x.value !== undefined) {
        const property = x.property ?? x.old;
        const value = x.value ?? x.plain ?? x.old;
        out = property === value ? property : `${property}: ${value}`;
        if (property !== value && (ts.isBindingElement(p) || ts.isShorthandPropertyAssignment(p))) splits.push(`${f}:${lineOf(f, x.start)} { ${out} } (${x.e.at})`);
        const init = ts.isBindingElement(p) || ts.isShorthandPropertyAssignment(p);
        if (!init) out = x.property ?? x.value;
      } else if (shorthand && ts.isShorthandPropertyAssignment(p)) {
        out = `${x.plain}`;
      } else out = x.plain;
      let length = x.length;
      // `{ a: b }` whose two halves became one word: a shorthand again
      if (ts.isPropertyAssignment(p) && p.name === x.node && ts.isIdentifier(p.initializer) && x.node.text !== p.initializer.text && finalText(p.initializer) === out) {
        const initStart = p.initializer.getStart();
        text = text.slice(0, x.start) + out + text.slice(x.start + (initStart + (text.slice(initStart).startsWith(out) ? out.length : p.initializer.text.length)) - x.start);
        continue;
      }
      if (ts.isBindingElement(p) && p.propertyName === x.node && ts.isIdentifier(p.name) && x.node.text !== p.name.text && finalText(p.name) === out) {
        const s = p.name.getStart();
        text = text.slice(0, x.start) + text.slice(s);
        continue;
      }
      text = text.slice(0, x.start) + out + text.slice(x.start + length);
    }
    text = text.replace(/\b(\w+) as \1\b(?=\s*[,}])/g, '$1');
    texts.set(f, text);
  }
}
function exportedDecl(n) {
  const s = ts.isVariableDeclaration(n) ? n.parent.parent : n;
  return ts.canHaveModifiers(s) && ts.getModifiers(s)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
}

// ---------------------------------------------------------------- text
const textual = files.filter((f) => /\.(ts|tsx|mts|mjs|js|json|md|yaml|yml|html|css|service|svg|sh)$|(^|\/)(Dockerfile|run)$/.test(f) && !/(^|\/)package-lock\.json$/.test(f));
for (const e of entries.filter((x) => x.kind === 'text')) {
  const find = new RegExp(e.find, `gm${e.flags ?? ''}`);
  const globs = e.globs.map((g) => picomatch(g, { dot: true }));
  let n = 0;
  let hasNew = false;
  for (const f of textual) {
    if (!globs.some((g) => g(f) || g(moved(f)))) continue;
    const before = current(f);
    const swap = (t) => t.replace(find, (...m) => (n++, e.to.replace(/\$(\d)/g, (_, i) => m[i] ?? '')));
    // prose: comments and test titles of sources, all of a page
    const after = e.prose && !f.endsWith('.md')
      ? before.split('\n').map((l) => (/^\s*(\/\/|\/\*|\*)/.test(l) || /\b(test|describe)\b.*\(['`]/.test(l) ? swap(l) : l.replace(/\s\/\/ .*$/, swap))).join('\n')
      : swap(before);
    if (e.to && !/\$\d/.test(e.to) && before.includes(e.to)) hasNew = true;
    if (after !== before) texts.set(f, after);
  }
  say(n ? 'done' : hasNew ? 'already' : 'nothing', e, n ? `(${n})` : '');
}

// ---------------------------------------------------------------- moves: rewrite every mention
const leftovers = [];
if (moves.size) {
  const dirs = new Set();
  for (const f of files) for (let d = posix.dirname(f); d !== '.'; d = posix.dirname(d)) dirs.add(d);
  const newDir = (d) => moved(`${d}/x`).slice(0, -2);
  // suffix index: "cluster/tenure.ts" -> every tracked file ending in it
  const suffixes = new Map();
  for (const f of files) {
    const parts = f.split('/');
    for (let i = 1; i <= parts.length; i++) {
      const s = parts.slice(-i).join('/');
      const list = suffixes.get(s);
      if (list) list.push(f);
      else suffixes.set(s, [f]);
    }
  }
  const stemOf = (f) => f.replace(/(\.browser)?(\.test|\.suite|\.contract)?\.(tsx?|mjs)$/, '');
  const stems = new Map();
  for (const f of files) {
    if (!/\.(tsx?|mjs)$/.test(f)) continue;
    const parts = stemOf(f).split('/');
    for (let i = 2; i <= parts.length; i++) {
      const s = parts.slice(-i).join('/');
      const list = stems.get(s) ?? stems.set(s, []).get(s);
      if (!list.some((x) => stemOf(x) === stemOf(f))) list.push(f);
    }
  }
  const target = (from, spec) => {
    const [path, ...rest] = spec.split(/(?=[#?])/);
    const t = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '');
    if (fileSet.has(t)) return { t, to: moves.get(t) ?? t, rest: rest.join('') };
    if (dirs.has(t)) return { t, to: newDir(t), rest: rest.join(''), slash: path.endsWith('/') ? '/' : '' };
    return undefined;
  };
  const relative = (from, to) => {
    const r = posix.relative(posix.dirname(from), to) || '.';
    return r.startsWith('.') ? r : `./${r}`;
  };
  for (const f of textual) {
    if (/\/generated\//.test(f)) continue;
    const nf = moves.get(f) ?? f;
    const before = current(f);
    let text = before;
    // 1 quoted relative specifiers
    text = text.replace(/(['"`])(\.\.?\/[^'"`\n${}]*)\1/g, (all, q, spec) => {
      const hit = target(f, spec);
      if (!hit || (hit.to === hit.t && nf === f)) return all;
      const next = relative(nf, hit.to) + (hit.slash ?? '') + hit.rest;
      return q + next + q;
    });
    // 2 markdown links
    if (f.endsWith('.md')) {
      text = text.replace(/(\]\()([^)\s#]+)((?:#[^)\s]*)?\))/g, (all, a, spec, c) => {
        if (/^[a-z]+:/.test(spec)) return all;
        const hit = target(f, spec);
        if (!hit || (hit.to === hit.t && nf === f)) return all;
        const r = posix.relative(posix.dirname(nf), hit.to);
        return a + (spec.startsWith('./') ? relative(nf, hit.to) : r) + (hit.slash ?? '') + c;
      });
    }
    // 3 whole or trailing paths with an extension
    text = text.replace(/(?<![\w./-])((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|md|css|html|json))(?![\w/-])/g, (all, path) => {
      const list = suffixes.get(path);
      if (!list) {
        // a path below the file's own package: "src/in-page/inject.ts"
        return all;
      }
      const own = f.split('/').slice(0, 2).join('/');
      const inOwn = list.filter((x) => x.startsWith(`${own}/`));
      const cand = list.length === 1 ? list : inOwn.length === 1 ? inOwn : undefined;
      if (!cand) {
        if (list.some((x) => moves.has(x))) leftovers.push(`${nf}: "${path}" could be any of ${list.join(', ')}`);
        return all;
      }
      const to = moves.get(cand[0]);
      if (!to) return all;
      if (path === cand[0]) return to;
      // keep as much of the path as was written
      const oldParts = cand[0].split('/');
      const lead = oldParts.length - path.split('/').length;
      const common = oldParts.slice(0, lead).join('/');
      return to.startsWith(`${common}/`) ? to.slice(common.length + 1) : to.split('/').slice(-path.split('/').length).join('/');
    });
    // 3b the same without an extension, as `npm test -- cluster/claims` and tables of tests name them
    if (/\.(md|yaml|mjs)$/.test(f)) {
      text = text.replace(/(?<![\w./@-])((?:[\w.-]+\/)+[\w-]+)(?![\w/.-])/g, (all, path) => {
        const list = stems.get(path);
        if (list?.length !== 1) return all;
        const [from] = list;
        const to = moves.get(from);
        if (!to) return all;
        const oldStem = stemOf(from), newStem = stemOf(to);
        const lead = oldStem.split('/').length - path.split('/').length;
        const common = oldStem.split('/').slice(0, lead).join('/');
        return newStem.startsWith(`${common}/`) ? newStem.slice(common.length + 1) : newStem.split('/').slice(-path.split('/').length).join('/');
      });
    }
    // 4 folders by their whole path
    for (const e of entries) if (e.kind === 'folder') {
      text = text.replaceAll(new RegExp(`(?<![\\w.-])${e.from.replace(/[.]/g, '\\.')}(?=[/'"\`)\\s*])`, 'g'), e.to);
      const own = f.split('/').slice(0, 2).join('/');
      if (/\.(json|jsonc)$/.test(f) && e.from.startsWith(`${own}/`)) {
        const a = e.from.slice(own.length + 1), b = e.to.slice(own.length + 1);
        text = text.replaceAll(`"${a}/`, `"${b}/`).replaceAll(`"./${a}/`, `"./${b}/`);
      }
    }
    if (text !== before) texts.set(f, text);
  }
  // words left over from moved files
  const oldNames = new Set([...moves].filter(([a, b]) => posix.basename(a) !== posix.basename(b)).map(([a]) => posix.basename(a)));
  for (const f of textual) {
    const t = current(f);
    for (const s of oldNames) if (t.includes(`/${s}`) || t.includes(`\`${s}`)) leftovers.push(`${moves.get(f) ?? f}: still mentions ${s}`);
  }
}

// ---------------------------------------------------------------- write
if (!dry) {
  for (const [f, t] of texts) if (!moves.has(f)) writeFileSync(join(root, f), t);
  for (const [f, to] of moves) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    execFileSync('git', ['mv', f, to], { cwd: root, stdio: 'pipe' });
    if (texts.has(f)) writeFileSync(join(root, to), texts.get(f));
  }
  if (!args.includes('--no-format') && (texts.size || moves.size)) {
    try {
      execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...[...texts.keys()].map((f) => moves.get(f) ?? f).filter((f) => /\.(ts|tsx|mts|mjs|js|json|css)$/.test(f))], { cwd: root, stdio: 'pipe', env: { ...process.env, PATH: `${join(root, 'node_modules/node/bin')}:${process.env.PATH}` } });
    } catch (error) {
      console.log(String(error.stdout ?? '').slice(-3000));
    }
  }
}
for (const [kind, list] of Object.entries(report)) {
  console.log(`${kind}: ${list.length}`);
  if (kind !== 'done' && kind !== 'already') for (const l of list) console.log(`  ${l}`);
}
console.log(`split: ${splits.length}`);
for (const l of splits) console.log(`  ${l}`);
for (const l of new Set(leftovers)) console.log(`  leftover ${l}`);
console.log(`${texts.size} files changed, ${moves.size} moved (${seconds()})`);
