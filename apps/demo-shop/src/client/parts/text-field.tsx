import type { HTMLInputAutoCompleteAttribute } from 'react';

type TextFieldProps = {
  name: string;
  label: string;
  autoComplete: HTMLInputAutoCompleteAttribute;
  type?: 'text' | 'email';
  startsWith?: string;
  problem: string | undefined;
};

export function TextField({
  name,
  label,
  autoComplete,
  type = 'text',
  startsWith = '',
  problem,
}: TextFieldProps) {
  const problemId = `${name}-problem`;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={autoComplete}
        defaultValue={startsWith}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
      />
      {problem && (
        <p className="problem" id={problemId}>
          {problem}
        </p>
      )}
    </div>
  );
}
