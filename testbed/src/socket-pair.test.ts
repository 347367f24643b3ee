import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSocketPair, type End, SOCKET_CLOSED, SOCKET_CLOSING, SOCKET_OPEN } from './socket-pair.ts';

const recordedPair = (options?: { maxDeliveries?: number }) => {
  const pair = createSocketPair(options);
  const heard: Record<End, string[]> = { a: [], b: [] };
  for (const end of ['a', 'b'] as const) {
    pair[end].onMessage((text) => heard[end].push(text));
    pair[end].onClose((code, reason) => heard[end].push(`close ${code} ${reason}`.trim()));
  }
  return { ...pair, heard };
};

test('nothing arrives before flush, then everything in order', () => {
  const pair = recordedPair();
  pair.a.send('one');
  pair.a.send('two');
  expect(pair.heard.b).toEqual([]);
  expect(pair.pending()).toBe(2);
  expect(pair.flush()).toBe(2);
  expect(pair.heard.b).toEqual(['one', 'two']);
  expect(pair.pending()).toBe(0);
});

test('step delivers one item at a time', () => {
  const pair = recordedPair();
  pair.a.send('one');
  pair.b.send('two');
  expect(pair.step()).toBe(true);
  expect(pair.heard).toEqual({ a: [], b: ['one'] });
  expect(pair.step()).toBe(true);
  expect(pair.heard.a).toEqual(['two']);
  expect(pair.step()).toBe(false);
});

test('answers sent during a flush arrive in the same flush', () => {
  const pair = recordedPair();
  pair.b.onMessage((text) => pair.b.send(`${text}!`));
  pair.a.send('hi');
  expect(pair.flush()).toBe(2);
  expect(pair.heard.a).toEqual(['hi!']);
});

test('endless answers are stopped with a clear error', () => {
  const pair = recordedPair({ maxDeliveries: 20 });
  pair.a.onMessage((text) => pair.a.send(text));
  pair.b.onMessage((text) => pair.b.send(text));
  pair.a.send('ping');
  expect(() => pair.flush()).toThrow('forever');
});

test('exactly maxDeliveries is not too many', () => {
  const pair = recordedPair({ maxDeliveries: 2 });
  pair.a.send('one');
  pair.a.send('two');
  expect(pair.flush()).toBe(2);
});

test('a listener must not flush its own pair', () => {
  const pair = recordedPair();
  pair.b.onMessage(() => pair.flush());
  pair.a.send('hi');
  expect(() => pair.flush()).toThrow('Already delivering');
  pair.a.send('again');
  expect(pair.pending()).toBe(1);
});

test('messages sent before a close arrive before it, on both sides', () => {
  const pair = recordedPair();
  pair.b.send('crossing');
  pair.a.send('last words');
  pair.a.close(4001, 'done');
  expect(pair.a.readyState).toBe(SOCKET_CLOSING);
  expect(pair.b.readyState).toBe(SOCKET_OPEN);
  pair.b.send('unaware');
  pair.flush();
  expect(pair.heard.b).toEqual(['last words', 'close 4001 done']);
  expect(pair.heard.a).toEqual(['crossing', 'unaware', 'close 4001 done']);
  expect([pair.a.readyState, pair.b.readyState]).toEqual([SOCKET_CLOSED, SOCKET_CLOSED]);
});

test('a closing end sends nothing more, and closes once', () => {
  const pair = recordedPair();
  pair.a.close();
  pair.a.send('too late');
  pair.a.close(4002, 'again');
  expect(pair.pending()).toBe(1);
  pair.flush();
  expect(pair.heard).toEqual({ a: ['close 1005'], b: ['close 1005'] });
});

test('ends that close at the same time each receive the other’s code', () => {
  const pair = recordedPair();
  pair.a.close(4001);
  pair.b.close(4002);
  pair.flush();
  expect(pair.heard).toEqual({ a: ['close 4002'], b: ['close 4001'] });
});

test("dropNext loses that end's next messages, duplicateNext doubles them", () => {
  const pair = recordedPair();
  pair.a.send('before');
  pair.dropNext('a');
  pair.duplicateNext('a');
  pair.b.send('other way');
  for (const text of ['lost', 'twice', 'once']) pair.a.send(text);
  pair.flush();
  expect(pair.heard.b).toEqual(['before', 'twice', 'twice', 'once']);
  expect(pair.heard.a).toEqual(['other way']);
});

test('a cut loses messages in flight; each end notices only when flushed', () => {
  const pair = recordedPair();
  pair.a.send('lost');
  pair.cut();
  pair.cut();
  expect(pair.a.readyState).toBe(SOCKET_OPEN);
  pair.a.send('into the void');
  expect(pair.pending()).toBe(2);
  pair.flush();
  expect(pair.heard).toEqual({ a: ['close 1006'], b: ['close 1006'] });
  expect(pair.b.readyState).toBe(SOCKET_CLOSED);
  pair.cut();
  expect(pair.pending()).toBe(0);
});

test('however sends, steps and flushes interleave, each direction keeps its order and loses nothing', () => {
  const move = fc.constantFrom<End | 'step' | 'flush'>('a', 'b', 'step', 'flush');
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const pair = recordedPair();
      const sent: Record<End, string[]> = { a: [], b: [] };
      moves.forEach((what, index) => {
        if (what === 'step') pair.step();
        else if (what === 'flush') pair.flush();
        else {
          sent[what].push(`${index}`);
          pair[what].send(`${index}`);
        }
        expect(pair.heard.a.length + pair.heard.b.length + pair.pending()).toBe(
          sent.a.length + sent.b.length,
        );
      });
      pair.flush();
      expect(pair.heard).toEqual({ a: sent.b, b: sent.a });
    }),
  );
});
