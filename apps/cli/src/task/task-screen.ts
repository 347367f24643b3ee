import { createInterface, type Interface } from 'node:readline';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { widthOf, wrap } from '../map/paint.ts';
import { createStatusLine } from './status-line.ts';
import type { Followed, TaskView } from './task-view.ts';
import { createTaskWords, endLines, movingText } from './task-words.ts';

/** Output for a followed task. */
export interface Screen {
  readonly show: (followed: Followed) => void;
  readonly close: () => void;
}

export function jsonScreen({ print }: Terminal): Screen {
  return {
    show(followed) {
      const { kind } = followed;
      if (kind === 'event')
        print(JSON.stringify({ event: followed.event.details?.kind ?? 'message', ...followed.event }));
      else if (kind === 'thought') print(JSON.stringify({ event: kind, text: followed.text }));
      else print(JSON.stringify({ event: kind, ...followed.task }));
    },
    close: () => {},
  };
}

const MAX_QUESTION = 2_000;

/** Lines, a spinner, and the person's answers. */
export function personScreen(terminal: Terminal, answer: (text: string) => void): Screen {
  const { stdin, print } = terminal;
  const status = createStatusLine(terminal);
  const words = createTaskWords(terminal);
  let reader: Interface | undefined;
  let asked: string | undefined;
  let noted: string | undefined;
  let said = '';

  const ask = (question: string): void => {
    status.hide();
    // The session usually has the question just before.
    const shown = question === said ? [] : wrap(plainText(question, MAX_QUESTION), widthOf(terminal));
    for (const line of shown) print(line);
    const isHere = stdin.isTTY === true;
    print(isHere ? 'Your answer:' : 'There is no terminal to answer in. Answer in the web app.');
    if (!isHere) return;
    reader ??= createInterface({ input: stdin, terminal: false }).on('line', (line) => {
      if (asked === undefined || line.trim() === '') return;
      asked = undefined;
      answer(line);
    });
    reader.resume();
  };

  const changed = ({ state, note, question }: TaskView): void => {
    if (state !== 'running') status.hide();
    if (note !== undefined && note !== noted) {
      for (const line of wrap(plainText(note, MAX_QUESTION), widthOf(terminal))) status.print(line);
    }
    noted = note;
    if (question === asked) return;
    if (question === undefined) print('Answered elsewhere.');
    asked = question;
    if (question !== undefined) ask(question);
  };

  return {
    show(followed) {
      if (followed.kind === 'state') return changed(followed.task);
      if (followed.kind === 'thought') return status.show(plainText(followed.text, MAX_QUESTION));
      if (followed.kind === 'event') {
        for (const line of words(followed.event)) status.print(line);
        said = followed.event.text;
        const moving = movingText(followed.event);
        if (moving !== undefined) status.show(moving);
        return undefined;
      }
      status.hide();
      for (const line of endLines(followed.task, terminal)) print(line);
      return undefined;
    },
    close() {
      status.hide();
      reader?.close();
    },
  };
}
