import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

const BOX =
  'w-full min-h-9 rounded-card border border-line-strong bg-surface px-3 text-body pointer-coarse:min-h-11 disabled:opacity-60';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

export function TextField({
  label,
  hint,
  className = '',
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-meta text-quiet">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={`${BOX} ${className}`}
        {...rest}
      />
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-meta text-quiet">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export function TextAreaField({
  label,
  ...rest
}: { readonly label: string } & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-meta text-quiet">
        {label}
      </label>
      <textarea id={id} className={`${BOX} resize-y py-2`} {...rest} />
    </div>
  );
}

export interface CheckFieldProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

export function CheckField({ label, checked, onCheck }: CheckFieldProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onCheck(target.checked)}
        className="size-4.5 shrink-0 accent-accent"
      />
      {label}
    </label>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps
  extends Labelled,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

export function SelectField({ label, hint, options, onChoose, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-meta text-quiet">
        {label}
      </label>
      <select id={id} className={BOX} onChange={({ target }) => onChoose(target.value)} {...rest}>
        {options.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {hint ? <p className="mt-1 text-meta text-quiet">{hint}</p> : null}
    </div>
  );
}
