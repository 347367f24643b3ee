import type { FormEvent } from 'react';
import {
  COUNTRIES,
  DELIVERY_SPEEDS,
  type Delivery,
  type DeliveryProblems,
  type DeliverySpeed,
} from '../../delivery.ts';
import { formatEuro } from '../../money.ts';
import { TextField } from './text-field.tsx';

type DeliveryFormProps = {
  email: string;
  problems: DeliveryProblems;
  speed: DeliverySpeed;
  onSpeed: (speed: Delivery['speed']) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
};

const SPEEDS: readonly DeliverySpeed[] = ['standard', 'express'];

export function DeliveryForm({ email, problems, speed, onSpeed, onSubmit }: DeliveryFormProps) {
  const count = Object.keys(problems).length;
  return (
    <form className="panel stack" onSubmit={onSubmit} noValidate={true} aria-labelledby="delivery-name">
      <h2 id="delivery-name">Delivery</h2>
      {count > 0 && (
        <p className="alert" role="alert">
          {count === 1 ? 'One field needs' : `${count} fields need`} a second look.
        </p>
      )}
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        startsWith={email}
        problem={problems.email}
      />
      <TextField name="name" label="Full name" autoComplete="name" problem={problems.name} />
      <TextField
        name="street"
        label="Street and number"
        autoComplete="street-address"
        problem={problems.street}
      />
      <div className="halves">
        <TextField name="postcode" label="Postcode" autoComplete="postal-code" problem={problems.postcode} />
        <TextField name="city" label="Town or city" autoComplete="address-level2" problem={problems.city} />
      </div>
      <CountryField problem={problems.country} />
      <fieldset>
        <legend>How fast</legend>
        {SPEEDS.map((option) => (
          <label key={option} className="choice">
            <input
              type="radio"
              name="speed"
              value={option}
              checked={option === speed}
              onChange={() => onSpeed(option)}
            />
            <span>{DELIVERY_SPEEDS[option].label}</span>
            <span className="price">{formatEuro(DELIVERY_SPEEDS[option].priceCents)}</span>
          </label>
        ))}
      </fieldset>
      <button className="primary" type="submit" data-testid="continue-to-payment">
        Continue to payment
      </button>
    </form>
  );
}

function CountryField({ problem }: { problem: string | undefined }) {
  return (
    <div className="field">
      <label htmlFor="country">Country</label>
      <select
        id="country"
        name="country"
        autoComplete="country-name"
        defaultValue=""
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'country-problem' : undefined}
      >
        <option value="">Choose…</option>
        {COUNTRIES.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </select>
      {problem && (
        <p className="problem" id="country-problem">
          {problem}
        </p>
      )}
    </div>
  );
}
