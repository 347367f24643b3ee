-- Who keeps the house. The term counts its keepers; commits under an older one are refused.
CREATE TABLE lease (
  id integer PRIMARY KEY CHECK (id = 1),
  term bigint NOT NULL,
  node_id text,
  url text,
  ends_at timestamptz NOT NULL
);
INSERT INTO lease VALUES (1, 0, NULL, NULL, '-infinity');

CREATE TABLE nodes (
  node_id text PRIMARY KEY,
  url text NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE FUNCTION hold_lease(node_ text, url_ text, ms double precision) RETURNS lease LANGUAGE plpgsql AS $$
DECLARE
  held lease;
  lasts interval := ms * interval '1 millisecond';
BEGIN
  INSERT INTO nodes VALUES (node_, url_, clock_timestamp() + lasts)
    ON CONFLICT (node_id) DO UPDATE SET url = excluded.url, ends_at = excluded.ends_at;
  SELECT * INTO held FROM lease FOR UPDATE;
  IF held.ends_at > clock_timestamp() AND held.node_id IS DISTINCT FROM node_ THEN
    RETURN held;
  END IF;
  IF held.ends_at <= clock_timestamp() OR held.node_id IS NULL THEN
    -- Waits for the commits of the last term that are under way: after this, there are none.
    PERFORM pg_advisory_xact_lock(1148338802, 2);
    held.term := held.term + 1;
  END IF;
  UPDATE lease SET term = held.term, node_id = node_, url = url_, ends_at = clock_timestamp() + lasts
    RETURNING * INTO held;
  RETURN held;
END
$$;

CREATE FUNCTION release_lease(node_ text, term_ bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE lease SET ends_at = '-infinity' WHERE node_id = node_ AND term = term_
$$;
