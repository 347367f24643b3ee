import { MessageCircleQuestion } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { OpenQuestion } from '../message/entry.ts';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/use-words.ts';
import { type FormField, type FormValue, parseForm, readForm } from './form-fields.ts';

export interface QuestionCardProps {
  readonly question: OpenQuestion;
  readonly isAnswering: boolean;
  readonly problem?: string | undefined;
  readonly onAnswer: (values: Record<string, unknown>) => void;
  readonly onDecline: () => void;
}

export function QuestionCard({ question, isAnswering, problem, onAnswer, onDecline }: QuestionCardProps) {
  const words = useWords();
  const fields = useMemo(() => parseForm(question.form), [question.form]);
  const [values, setValues] = useState<Readonly<Record<string, FormValue>>>({});
  const [wrong, setWrong] = useState<readonly string[]>([]);
  return (
    <form
      aria-label={words.prompt.question}
      data-decision
      tabIndex={-1}
      noValidate
      className="overflow-hidden rounded-card border border-wait-line bg-surface"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readForm(fields, values);
        setWrong('wrong' in read ? read.wrong : []);
        if ('answer' in read) onAnswer(read.answer);
      }}
    >
      <header className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 text-meta font-medium text-wait">
        <MessageCircleQuestion size={16} aria-hidden />
        {words.prompt.question}
      </header>
      <div className="flex flex-col gap-3 p-3">
        <p dir="auto" className="font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">
          {question.text}
        </p>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? field.initial}
            isWrong={wrong.includes(field.name)}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {problem ? <p className="text-meta text-fail">{words.prompt.failed(problem)}</p> : null}
        <div className="flex gap-2">
          <Button className="flex-1" disabled={isAnswering} onClick={onDecline}>
            {words.prompt.decline}
          </Button>
          <Button look="primary" type="submit" className="flex-1" disabled={isAnswering}>
            {isAnswering ? words.prompt.sending : words.prompt.answer}
          </Button>
        </div>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: FormValue;
  readonly isWrong: boolean;
  readonly onChange: (value: FormValue) => void;
}

const BOX = 'w-full min-h-9 rounded-card border bg-surface px-3 text-body pointer-coarse:min-h-11';

function Field({ field, value, isWrong, onChange }: FieldProps) {
  const words = useWords();
  const id = useId();
  const { kind, label, hint, required, options } = field;
  const note = isWrong
    ? kind === 'number' || kind === 'whole'
      ? words.prompt.number
      : words.prompt.required
    : hint;
  const common = {
    id,
    'aria-invalid': isWrong,
    'aria-required': required,
    ...(note && { 'aria-describedby': `${id}-note` }),
    className: `${BOX} ${isWrong ? 'border-fail' : 'border-line-strong'}`,
  };
  const chosen = Array.isArray(value) ? value : [];
  return (
    <div>
      {kind === 'flag' || kind === 'choices' ? null : (
        <label htmlFor={id} className="mb-1 block text-meta text-quiet">
          {label}
          {required ? ' *' : ''}
        </label>
      )}
      {kind === 'flag' ? (
        <label className="flex min-h-9 items-center gap-2">
          <input
            type="checkbox"
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
            className="size-5 accent-accent"
          />
          {label}
        </label>
      ) : null}
      {kind === 'choices' ? (
        <fieldset>
          <legend className="mb-1 text-meta text-quiet">{label}</legend>
          {options.map((option) => (
            <label key={option.value} className="flex min-h-9 items-center gap-2">
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={({ target }) =>
                  onChange(
                    target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value),
                  )
                }
                className="size-5 accent-accent"
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      ) : null}
      {kind === 'choice' ? (
        <select {...common} value={String(value)} onChange={({ target }) => onChange(target.value)}>
          <option value="">{words.prompt.choose}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : null}
      {kind === 'long' ? (
        <textarea
          {...common}
          rows={4}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : null}
      {kind === 'text' || kind === 'number' || kind === 'whole' ? (
        <input
          {...common}
          type="text"
          inputMode={kind === 'text' ? 'text' : kind === 'whole' ? 'numeric' : 'decimal'}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : null}
      {note ? (
        <p id={`${id}-note`} className={`mt-1 text-meta ${isWrong ? 'text-fail' : 'text-quiet'}`}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
