import { Mic } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { useWords } from '../words/use-words.ts';

/** Whether the person knows where the recording goes; without the context there is no dictation. */
export interface DictationConsent {
  readonly isKnown: boolean;
  readonly onKnown: () => void;
}

export const DictationContext = createContext<DictationConsent | undefined>(undefined);

/** https://webaudio.github.io/web-speech-api/#speechreco-section; Chrome and Safari prefix its name. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult:
    | ((event: { readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>> }) => void)
    | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  readonly start: () => void;
  readonly stop: () => void;
  readonly abort: () => void;
}

/** Undefined without the platform's dictation: it needs a secure context, for it needs the microphone. */
function recognizer(): (new () => Recognition) | undefined {
  if (!isSecureContext) return undefined;
  return Reflect.get(globalThis, 'SpeechRecognition') ?? Reflect.get(globalThis, 'webkitSpeechRecognition');
}

export interface Dictation {
  readonly isOn: boolean;
  readonly button: ReactNode;
  /** Says that it listens, or why it does not. */
  readonly note: ReactNode;
}

/** Dictates into a field: words appear as they are heard. Typing, sending and Escape end it. */
export function useDictation(
  text: string,
  onText: (text: string) => void,
  className = '',
): Dictation | undefined {
  const { dictation: words, locale } = useWords();
  const consent = use(DictationContext);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [running, setRunning] = useState<Recognition>();
  const written = useRef(text);
  const write = useRef(onText);
  write.current = onText;

  const start = useCallback((): void => {
    const Recognizer = recognizer();
    if (Recognizer === undefined) return;
    const recognition = new Recognizer();
    recognition.lang = navigator.languages.find((each) => each.startsWith(locale)) ?? locale;
    recognition.interimResults = true;
    // A phone's Chrome repeats its results where this is on; there it ends at a pause.
    recognition.continuous = matchMedia('(pointer: fine)').matches;
    const before = text === '' || /\s$/.test(text) ? text : `${text} `;
    recognition.onresult = ({ results }) => {
      written.current = before + Array.from(results, (result) => result[0]?.transcript ?? '').join('');
      write.current(written.current);
    };
    recognition.onerror = ({ error }) => setProblem(problemOf(error, words.problems));
    recognition.onend = () => setRunning((known) => (known === recognition ? undefined : known));
    written.current = text;
    setProblem(undefined);
    setRunning(recognition);
    try {
      recognition.start();
    } catch {
      setRunning(undefined);
      setProblem(words.problems.other);
    }
  }, [text, locale, words]);

  useEffect(() => {
    if (running === undefined) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      running.stop();
    };
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('keydown', onKey, true);
      running.onresult = null;
      running.onerror = null;
      running.abort();
    };
  }, [running]);
  useEffect(() => {
    if (text === written.current) return;
    written.current = text;
    setRunning(undefined);
    setProblem(undefined);
  }, [text]);

  if (consent === undefined || recognizer() === undefined) return undefined;
  const isOn = running !== undefined;
  const toggle = (): void => {
    if (running !== undefined) running.stop();
    else if (consent.isKnown) start();
    else setAsking(true);
  };
  const button = (
    <>
      <IconButton
        label={words.button}
        aria-pressed={isOn}
        className={`${isOn ? 'bg-fail-soft text-fail!' : ''} ${className}`}
        icon={<Mic size={18} aria-hidden />}
        onClick={toggle}
      />
      {isAsking ? (
        <Confirm
          title={words.title}
          says={words.says}
          action={words.begin}
          look="primary"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            consent.onKnown();
            start();
          }}
        />
      ) : null}
    </>
  );
  const note = isOn ? (
    <p role="status" className="text-meta text-quiet">
      {words.listens}
    </p>
  ) : problem === undefined ? null : (
    <p role="alert" className="text-meta text-fail">
      {problem}
    </p>
  );
  return { isOn, button, note };
}

/** Undefined for the end that the person chose. */
function problemOf(error: string, problems: Readonly<Record<string, string>>): string | undefined {
  if (error === 'aborted') return undefined;
  return Object.hasOwn(problems, error) ? problems[error] : problems['other'];
}
