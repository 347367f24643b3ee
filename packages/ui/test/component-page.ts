import { type ComponentType, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import * as components from '../src/index.ts';
import { de } from '../src/words/de.ts';
import { en } from '../src/words/en.ts';

/** Runs in the page: shows a component, and records the calls of each property that is named in `calls`. */
Reflect.set(globalThis, 'showComponent', ({ name, props, calls, language }: Shown): void => {
  const recorded: unknown[][] = [];
  Reflect.set(globalThis, 'recordedCalls', recorded);
  const handlers = Object.fromEntries(
    calls.map((call) => [call, (...args: unknown[]) => void recorded.push([call, ...args.map(plain)])]),
  );
  const component = componentOf(name);
  const controlled =
    'onText' in handlers ? { ...handlers, onText: (text: string) => draw({ text }) } : handlers;
  let isKnown = false;
  const draw = (changed: object): void => {
    Object.assign(current, changed);
    const element = createElement(component, { ...current, ...controlled });
    const onKnown = (): void => {
      isKnown = true;
      draw({});
    };
    const consenting = createElement(components.DictationContext, { value: { isKnown, onKnown } }, element);
    root.render(createElement(components.WordsContext, { value: language === 'de' ? de : en }, consenting));
  };
  const current = { ...props };
  document.querySelector('main')?.remove();
  const root = createRoot(document.body.appendChild(document.createElement('main')));
  draw({});
});

export interface Shown {
  readonly name: string;
  readonly props: object;
  readonly calls: readonly string[];
  readonly language: 'en' | 'de';
}

function componentOf(name: string): ComponentType<object> {
  return Reflect.get(components, name);
}

/** Calls cross to the test as JSON. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => one instanceof File) ? value.map(({ name }) => name) : value;
